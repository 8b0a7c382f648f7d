import { NotFound } from '@quire/shared/errors';
import { Router } from 'express';
import { allowOnly } from '../http/allow-only.js';
import { docsPagePolicy } from '../http/security-headers.js';
import type { OpenApiDocument } from '../openapi/openapi-document.js';
import { page, pageFiles, startScript } from './docs-page.js';

const HOUR_S = 3600;

/** The description of this API, for programs and for people. */
export function docsRoutes(document: OpenApiDocument): Router {
  const router = Router();
  const text = JSON.stringify(document);
  router
    .route('/openapi.json')
    .get((_req, res) => {
      res.type('json').send(text);
    })
    .all(allowOnly('GET', 'HEAD'));
  router
    .route('/docs')
    .get(docsPagePolicy, (_req, res) => {
      res.type('html').send(page);
    })
    .all(allowOnly('GET', 'HEAD'));
  router
    .route('/docs/:file')
    .get((req, res) => {
      const { file } = req.params;
      const path = Object.hasOwn(pageFiles, file) ? pageFiles[file] : undefined;
      if (path === undefined && file !== 'start.js') {
        throw new NotFound('NOT_FOUND', 'There is nothing at this address');
      }
      res.setHeader('Cache-Control', `public, max-age=${HOUR_S}`);
      if (path === undefined) res.type('js').send(startScript);
      else res.sendFile(path, { cacheControl: false, dotfiles: 'allow', acceptRanges: false });
    })
    .all(allowOnly('GET', 'HEAD'));
  return router;
}
