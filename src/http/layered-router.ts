// Hono's compiled router, and above it another for each path that has a word where a sibling has a parameter.
//
// `/syncs/run` beside `/syncs/{run_id}/cancel` is more than one regular expression takes. Hono's own way out is a
// slower router for every route; here such a path moves to a layer of its own, which is asked first: a word beats a
// parameter, whichever was declared first, and whatever the method: no method of `/syncs/run` is answered by
// `/syncs/{run_id}`.

import type { Result, Router } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";

type Route<T> = { method: string; path: string; handler: T };

/** `paths` decides whether a path is this layer's at all, under whatever method. */
type Layer<T> = { router: Router<T>; paths: Router<true> };

/** How middleware is registered, which runs whatever the method. */
const ALL = "ALL";
const isMiddleware = ({ method }: { method: string }): boolean => method === ALL;

export class LayeredRouter<T> implements Router<T> {
  readonly name = "LayeredRouter";
  readonly #routes: Route<T>[] = [];
  /** Built by the first request; the last takes what no other has a path for. */
  #layers: Layer<T>[] | undefined;

  add(method: string, path: string, handler: T): void {
    if (this.#layers) throw new Error(`${method} ${path} was added after the first request.`);
    this.#routes.push({ method, path, handler });
  }

  match(method: string, path: string): Result<T> {
    this.#layers ??= layersOf(this.#routes).map(compile);
    const last = this.#layers.length - 1;
    for (let i = 0; i < last; i++) {
      const { router, paths } = this.#layers[i]!;
      if (paths.match(ALL, path)[0].length > 0) return router.match(method, path);
    }
    return this.#layers[last]!.router.match(method, path);
  }
}

/** Routes whose words take precedence come first. Middleware is in every layer. */
function layersOf<T>(routes: readonly Route<T>[]): Route<T>[][] {
  // A path has several routes, and each path is compared with each.
  const paths = new Map(routes.filter((route) => !isMiddleware(route)).map(({ path }) => [path, path.split("/")]));
  const above = new Set<string>();
  for (const [path, segments] of paths)
    if ([...paths.values()].some((others) => isMoreExact(segments, others))) above.add(path);
  if (above.size === 0) return [[...routes]];
  return [
    ...layersOf(routes.filter((route) => isMiddleware(route) || above.has(route.path))),
    routes.filter((route) => isMiddleware(route) || !above.has(route.path)),
  ];
}

/** Whether the first segment in which the paths differ is a word here and a parameter there. */
function isMoreExact(segments: readonly string[], others: readonly string[]): boolean {
  for (const [i, segment] of segments.entries()) {
    const sibling = others[i];
    if (sibling === undefined) return false;
    const isParameter = segment.startsWith(":");
    if (isParameter !== sibling.startsWith(":")) return !isParameter && segment !== "*";
    if (!isParameter && segment !== sibling) return false;
  }
  return false;
}

function compile<T>(routes: readonly Route<T>[]): Layer<T> {
  const [router, paths] = [new RegExpRouter<T>(), new RegExpRouter<true>()];
  for (const { method, path, handler } of routes) router.add(method, path, handler);
  for (const path of new Set(routes.filter((route) => !isMiddleware(route)).map((route) => route.path)))
    paths.add(ALL, path, true);
  return { router, paths };
}
