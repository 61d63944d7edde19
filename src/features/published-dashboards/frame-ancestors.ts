// The origins whose pages may frame a dashboard.

import { z } from "@hono/zod-openapi";
import { PUBLICATION_LIMITS } from "../publications/limits.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])$/;

/** As browsers write an origin; a path, a wildcard or a name beside the host makes it none. */
export function isFramingOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  const isSafe = protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
  return isSafe && origin === text && HOST.test(hostname);
}

export const FrameAncestors = z
  .array(
    z
      .string()
      .max(300)
      .refine(isFramingOrigin, "Send an origin such as https://portal.example.com; http is for this machine alone."),
  )
  .max(PUBLICATION_LIMITS.frameAncestorsMax)
  .refine((origins) => new Set(origins).size === origins.length, "An origin is named twice.")
  .openapi({
    type: "array",
    items: { type: "string", format: "uri" },
    description: "The origins whose pages may frame it. Without any nobody's may.",
    example: ["https://portal.example.com"],
  });
