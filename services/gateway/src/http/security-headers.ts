import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Responses are data: a browser that shows one as a page may load and run nothing. */
export const securityHeaders: RequestHandler[] = [
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    frameguard: { action: 'deny' },
    // The proxy that terminates TLS decides this, for the whole domain.
    strictTransportSecurity: false,
  }),
  (_req, res, next) => {
    // Responses belong to their caller; a route whose response may be cached overrides this.
    res.setHeader('Cache-Control', 'no-store');
    next();
  },
];

/** The docs page may load its own files and send requests to its own gateway. */
export const docsPagePolicy: RequestHandler = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    // Swagger UI writes style attributes into what it renders.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});
