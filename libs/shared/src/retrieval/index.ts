export * from './retrieval-client.js';
export * from './retrieval-reply.contract.js';
export * from './retrieved-source.js';
export * from './snippet.js';
