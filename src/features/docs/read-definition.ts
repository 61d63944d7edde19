// The request whose body is a definition: JSON or YAML by its content type, taken to the character.

import { Problem } from "../../core/problem.ts";
import { parseDefinition, refuseLongText } from "./definition/parse.ts";
import type { SentSource } from "./doc.ts";

/** RFC 9512 names the first; the others were there before it. */
const YAML_TYPES = ["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"];

export async function readDefinition(request: Request): Promise<SentSource> {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  const mediaType = type === "application/json" ? type : YAML_TYPES.includes(type) ? "application/yaml" : undefined;
  if (!mediaType)
    throw new Problem(
      "unsupported_media_type",
      "Send the definition as `Content-Type: application/json` or `application/yaml`.",
    );
  const bytes = await request.arrayBuffer();
  refuseLongText(bytes.byteLength);
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  return { text, mediaType, ...parseDefinition(text, mediaType) };
}

/** The version `If-Match` names; undefined for any. */
export function expectedVersion(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const [, version] = /^(?:W\/)?"(\d{1,9})"$/.exec(header.trim()) ?? [];
  if (version === undefined) throw new Problem("precondition_failed", 'If-Match takes one ETag, such as "3".');
  return Number(version);
}

export const etagOf = (doc: { version: number }): string => `"${doc.version}"`;
