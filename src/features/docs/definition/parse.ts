// A definition from the text it was sent as: read, checked, and every flaw told with its pointer, line and column.

import { LIMITS } from "../../../core/limits.ts";
import { Problem } from "../../../core/problem.ts";
import { flawsOf } from "../../../http/render-problem.ts";
import { checkGraph } from "./check-graph.ts";
import { Definition } from "./definition.ts";
import { readText, type MediaType } from "./read-text.ts";

/** Throws `validation_failed` with all flaws of one kind at once: of the text, of its shape, of what refers to what. */
export function parseDefinition(text: string, mediaType: MediaType): Definition {
  if (text.includes("\0")) throw new Problem("validation_failed", "The definition has a NUL character.", [{ pointer: "", message: "It has a NUL character." }]);
  const { value, locate } = readText(text, mediaType);
  const parsed = Definition.safeParse(value);
  const flaws = parsed.success ? checkGraph(parsed.data.datasets) : flawsOf(parsed.error);
  if (flaws.length > 0 || !parsed.success) throw new Problem("validation_failed", "The definition is not valid.", flaws.slice(0, LIMITS.flawsToldMax).map(locate));
  return parsed.data;
}

/** Of a stored text, which was valid when it was stored. */
export const reparse = (text: string, mediaType: MediaType): Definition => Definition.parse(readText(text, mediaType).value);

/** Bytes, since a row is measured in them. */
export function refuseLongText(bytes: number): void {
  if (bytes <= LIMITS.docTextBytesMax) return;
  throw new Problem("body_too_large", `A definition has at most ${LIMITS.docTextBytesMax} bytes.`);
}
