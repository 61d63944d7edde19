// /app is the console. Browsers keep its hashed files for good; every other path below it answers the one page, whose
// script shows the screen. /embed/dashboards are the pages that show published dashboards within other pages.

import type { Context } from "hono";
import { notFound } from "../../core/problem.ts";
import { clientsOf, type AppEnv } from "../../http/app-env.ts";
import { createRouter } from "../../http/router.ts";
import { sha256Base64 } from "../../platform/crypto/digest.ts";
import { findFramingOrigins } from "../publications/find-framing-origins.ts";
import {
  consolePolicy,
  embeddingPolicy,
  mintNonce,
  NONCE_PLACE,
  ORIGINS_PLACE,
  tileFramePolicy,
} from "./content-policy.ts";

export const consolePage = createRouter();

const CONSOLE = "/app/index.html";
const EMBEDDING = "/app/embed.html";
const TILE_FRAME = "/app/tile-frame.html";
/** The name of such a file holds its digest, so it never changes. */
const KEPT_SECONDS = 31_536_000;

consolePage.get("/app", serveConsole);
consolePage.get("/app/assets/:file", serveFile);
consolePage.get("/app/tile-frame", (c) => serveTileFrame(c, []));
consolePage.get("/app/*", serveConsole);
consolePage.get("/embed/dashboards/:team_id/:name", serveEmbedding);
consolePage.get("/embed/dashboards/:team_id/:name/tile-frame", async (c) =>
  serveTileFrame(c, await framingOriginsOf(c)),
);

async function serveConsole(c: Context<AppEnv>): Promise<Response> {
  const nonce = mintNonce();
  const text = (await pageText(c, CONSOLE)).replaceAll(NONCE_PLACE, nonce);
  return servePage(
    c,
    text,
    consolePolicy(nonce, new URL("/app/tile-frame", c.req.url).href, clientsOf(c).bucket.origin),
  );
}

/** Whether there is such a dashboard shows in nothing but who may frame the page. */
async function serveEmbedding(c: Context<AppEnv>): Promise<Response> {
  const origins = await framingOriginsOf(c);
  const nonce = mintNonce();
  const text = (await pageText(c, EMBEDDING)).replaceAll(NONCE_PLACE, nonce);
  const { origin, pathname } = new URL(c.req.url);
  const policy = embeddingPolicy(nonce, `${origin}${pathname}/tile-frame`, origins);
  return servePage(c, text.replace(ORIGINS_PLACE, origins.join(" ")), policy);
}

/** What a tile runs comes by message from the page around it: here it is empty. */
async function serveTileFrame(c: Context<AppEnv>, origins: readonly string[]): Promise<Response> {
  const text = await pageText(c, TILE_FRAME);
  const script = /<script>(.*)<\/script>/s.exec(text)?.[1] ?? "";
  const hash = await sha256Base64(script);
  // No connection at all, where a browser knows this: hints that look a name up are bound by no policy.
  c.header("Connection-Allowlist", "()");
  return servePage(c, text, tileFramePolicy(hash, origins));
}

/** Never the platform's own, whose pages a tile could be led to. */
async function framingOriginsOf(c: Context<AppEnv>): Promise<string[]> {
  const { team_id: teamId = "", name = "" } = c.req.param() as Record<string, string>;
  const origins = await findFramingOrigins(clientsOf(c), teamId, name);
  return origins.filter((origin) => origin !== new URL(c.req.url).origin);
}

async function pageText(c: Context<AppEnv>, path: string): Promise<string> {
  const page = await clientsOf(c).fetchAsset(new URL(path, c.req.url));
  if (!page.ok) throw notFound("The page", c.req.path);
  return page.text();
}

function servePage(c: Context<AppEnv>, text: string, policy: string): Response {
  c.set("headerOverrides", { "Content-Security-Policy": policy });
  return c.html(text);
}

async function serveFile(c: Context<AppEnv>): Promise<Response> {
  const file = await clientsOf(c).fetchAsset(new URL(c.req.url));
  if (!file.ok) throw notFound("The file", c.req.path);
  c.set("headerOverrides", { "Cache-Control": `public, max-age=${KEPT_SECONDS}, immutable` });
  return file;
}
