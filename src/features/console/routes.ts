// /app is the console. Browsers keep its hashed files for good; every other path below it answers the one page, whose
// script shows the screen.

import type { Context } from "hono";
import { notFound } from "../../core/problem.ts";
import { clientsOf, type AppEnv } from "../../http/app-env.ts";
import { createRouter } from "../../http/router.ts";
import { contentPolicy, mintNonce, NONCE_PLACE } from "./content-policy.ts";

export const consolePage = createRouter();

const PAGE = "/app/index.html";
/** The name of such a file holds its digest, so it never changes. */
const KEPT_SECONDS = 31_536_000;

consolePage.get("/app", servePage);
consolePage.get("/app/assets/:file", serveFile);
consolePage.get("/app/*", servePage);

async function servePage(c: Context<AppEnv>): Promise<Response> {
  const { fetchAsset, bucket } = clientsOf(c);
  const page = await fetchAsset(new URL(PAGE, c.req.url));
  if (!page.ok) throw notFound("The page", c.req.path);
  const nonce = mintNonce();
  const text = (await page.text()).replaceAll(NONCE_PLACE, nonce);
  c.set("headerOverrides", { "Content-Security-Policy": contentPolicy(nonce, bucket.origin) });
  return c.html(text);
}

async function serveFile(c: Context<AppEnv>): Promise<Response> {
  const file = await clientsOf(c).fetchAsset(new URL(c.req.url));
  if (!file.ok) throw notFound("The file", c.req.path);
  c.set("headerOverrides", { "Cache-Control": `public, max-age=${KEPT_SECONDS}, immutable` });
  return file;
}
