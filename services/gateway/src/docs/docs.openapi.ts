import type { ApiGroup, JsonSchema } from '../openapi/api-description.js';
import { pageFiles } from './docs-page.js';

const documentSchema: JsonSchema = {
  type: 'object',
  required: ['openapi', 'paths'],
  properties: { openapi: { type: 'string' }, paths: { type: 'object' } },
};

const fileContent = {
  'text/javascript': { schema: { type: 'string' } },
  'text/css': { schema: { type: 'string' } },
  'image/png': { schema: { type: 'string', format: 'binary' } },
} as const;

export const docsApi: ApiGroup = {
  name: 'Documentation',
  description: 'This document, and a page to read it.',
  paths: {
    '/openapi.json': {
      get: {
        operationId: 'getDocument',
        summary: 'This document',
        answers: {
          200: {
            description: 'OpenAPI 3.1.',
            content: { 'application/json': { schema: documentSchema } },
          },
        },
        errors: [],
        open: true,
      },
    },
    '/docs': {
      get: {
        operationId: 'getDocsPage',
        summary: 'A page to read and try it',
        answers: {
          200: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' } } } },
        },
        errors: [],
        open: true,
      },
    },
    '/docs/{file}': {
      get: {
        operationId: 'getDocsFile',
        summary: "The page's parts",
        parameters: [
          {
            name: 'file',
            in: 'path',
            required: true,
            description: 'One of the files that the page loads.',
            schema: { type: 'string', enum: ['start.js', ...Object.keys(pageFiles)] },
          },
        ],
        answers: {
          200: { description: 'The file, by its type.', content: fileContent },
          304: { description: 'The client has it.' },
        },
        errors: ['NOT_FOUND'],
        open: true,
      },
    },
  },
};
