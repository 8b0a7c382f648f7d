import { z } from 'zod';
import { route, type RouteGroup } from '../http/route.js';
import { docsPagePolicy } from '../http/security-headers.js';
import { page, pageFiles, startScript } from './docs-page.js';

const HOUR_S = 3600;

export interface DocsDependencies {
  /** The OpenAPI document as JSON. */
  openApiJson: string;
}

const open = { method: 'get', scope: 'open' } as const;

const document = route({
  ...open,
  path: '/openapi.json',
  operationId: 'getDocument',
  summary: 'This document',
  responses: {
    200: {
      description: 'OpenAPI 3.1.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['openapi', 'paths'],
            properties: { openapi: { type: 'string' }, paths: { type: 'object' } },
          },
        },
      },
    },
  },
  handle({ openApiJson }: DocsDependencies, { res }) {
    res.type('json').send(openApiJson);
  },
});

const docsPage = route({
  ...open,
  path: '/docs',
  operationId: 'getDocsPage',
  summary: 'A page to read and try it',
  responses: {
    200: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' } } } },
  },
  handle(_deps: unknown, { req, res }) {
    docsPagePolicy(req, res, () => void res.type('html').send(page));
  },
});

const file = route({
  ...open,
  path: '/docs/{file}',
  operationId: 'getDocsFile',
  summary: "The page's files",
  pathParameters: {
    file: {
      description: 'One of the files that the page loads.',
      schema: z.enum(['start.js', ...Object.keys(pageFiles)]),
      notFound: 'There is nothing at this address',
    },
  },
  responses: {
    200: {
      description: 'The file, by its type.',
      content: {
        'text/javascript': { schema: { type: 'string' } },
        'text/css': { schema: { type: 'string' } },
        'image/png': { schema: { type: 'string', format: 'binary' } },
      },
    },
    304: { description: 'The client has the current file.' },
  },
  handle(_deps: unknown, { res, path: { file: name } }) {
    const location = pageFiles[name];
    res.setHeader('Cache-Control', `public, max-age=${HOUR_S}`);
    if (location === undefined) res.type('js').send(startScript);
    else res.sendFile(location, { cacheControl: false, dotfiles: 'allow', acceptRanges: false });
  },
});

export const docsGroup: RouteGroup<DocsDependencies> = {
  name: 'Documentation',
  description: 'This document, and a page to read it.',
  routes: [document, docsPage, file],
};
