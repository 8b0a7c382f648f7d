export * from './connect-qdrant.js';
export * from './index-catalogue.js';
