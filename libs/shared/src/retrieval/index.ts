export * from './retrieval-client.js';
export * from './retrieval-reply.contract.js';
