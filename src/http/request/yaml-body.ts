// A body that may be sent as its text alone.

import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env.ts";
import { isYaml } from "./media-types.ts";

/** `ofText`: the JSON that a text stands for; it throws `Problem`. */
export type YamlBody = { ofText(text: string, query: URLSearchParams): object; example: string };

/** Puts the JSON in the place of a body that is YAML. Comes after `limitBody`, which has read it. */
export const readYamlBody = ({ ofText }: YamlBody) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const { raw } = c.req;
    if (isYaml(raw.headers.get("content-type"))) {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await raw.arrayBuffer());
      const headers = new Headers(raw.headers);
      headers.set("content-type", "application/json");
      headers.delete("content-length");
      c.req.raw = new Request(raw, { headers, body: JSON.stringify(ofText(text, new URL(raw.url).searchParams)) });
    }
    await next();
  });
