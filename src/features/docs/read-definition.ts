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
