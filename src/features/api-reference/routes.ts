// /docs is the OpenAPI document made browsable. Its files are static assets, copied by scripts/assets/docs-page.mjs;
// nothing comes from elsewhere.

import type { Context } from "hono";
import { notFound } from "../../core/problem.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { createRouter } from "../../http/router.ts";
import { clientsOf } from "../../http/app-env.ts";

export const apiReference = createRouter();

/** The page runs its own scripts and asks this API; nothing inline, nothing from another host. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const CACHE_SECONDS = 3_600;
const PAGE = "index.html";

apiReference.get("/docs", (c) => serve(c, PAGE));
apiReference.get("/docs/", (c) => serve(c, PAGE));
apiReference.get("/docs/:file", (c) => serve(c, c.req.param("file")));

async function serve(c: Context<AppEnv>, file: string): Promise<Response> {
  const asset = await clientsOf(c).fetchAsset(new URL(`/docs/${encodeURIComponent(file)}`, c.req.url));
  if (!asset.ok) throw notFound("The page", file);
  c.set("headerOverrides", {
    "Content-Security-Policy": CONTENT_POLICY,
    "Cache-Control": `public, max-age=${CACHE_SECONDS}`,
  });
  return asset;
}
