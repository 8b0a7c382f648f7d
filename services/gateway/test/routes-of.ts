import type { Express } from 'express';

interface Layer {
  route?: { path: string | string[]; stack: { method?: string }[] };
  handle: { stack?: Layer[] };
}

/** The routes of an app as `method /path/{parameter}`, sorted. GET includes HEAD. */
export function routesOf(app: Express): string[] {
  return collect((app as unknown as { router: { stack: Layer[] } }).router.stack).sort();
}

function collect(layers: readonly Layer[]): string[] {
  return layers.flatMap(({ route, handle }) => {
    if (!route) return collect(handle.stack ?? []);
    const methods = new Set(route.stack.map(({ method }) => method));
    return [route.path]
      .flat()
      .flatMap((path) =>
        [...methods]
          .filter((method) => method !== undefined && method !== 'head')
          .map((method) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
      );
  });
}
