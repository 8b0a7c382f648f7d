export * from './connect-qdrant.js';
export * from './index-catalogue.js';
export * from './qdrant-status.js';
