export * from './connect-qdrant.js';
