export type { Consumer, Seen } from './consumer.js';
export { lintDocument } from './lint-document.js';
export { makeClients } from './make-clients.js';
export { withFolder } from './with-folder.js';
