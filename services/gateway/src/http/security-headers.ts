import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** An answer of the API is data: a browser that is made to show one as a page may load and run nothing. */
export const securityHeaders: RequestHandler[] = [
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    frameguard: { action: 'deny' },
    // Whoever terminates TLS decides it, for the whole domain.
    strictTransportSecurity: false,
  }),
  (_req, res, next) => {
    // Answers are the caller's own; whoever may be kept says so itself.
    res.setHeader('Cache-Control', 'no-store');
    next();
  },
];

/** The docs page may load its own files and ask its own gateway. */
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
