// The request whose body is a definition: JSON or YAML by its content type, taken to the character.

import { Problem } from "../../../core/problem.ts";
import { isYaml, mediaTypeOf } from "../../../http/request/media-types.ts";
import { parseDefinition, refuseLongText } from "../definition/parse.ts";
import type { SentSource } from "../doc.ts";

export async function readDefinition(request: Request): Promise<SentSource> {
  const contentType = request.headers.get("content-type");
  const type = mediaTypeOf(contentType);
  const mediaType = type === "application/json" ? type : isYaml(contentType) ? "application/yaml" : undefined;
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
