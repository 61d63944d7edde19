// A definition from the text it was sent as: read, checked, and every flaw reported with its pointer, line and column.

import { LIMITS } from "../../../core/limits.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";
import { flawsOf } from "../../../http/render-problem.ts";
import { checkGraph } from "./check-graph.ts";
import { Definition, findKeptOnly, findUnknownMembers } from "./definition.ts";
import { readText, type MediaType } from "./read-text.ts";

/** `warnings` are for people; of members that nothing reads. */
export type ParsedDefinition = { definition: Definition; warnings: string[] };

/** Throws `validation_failed` with all flaws of one kind at once: of the text, of its shape, of what refers to what. */
export function parseDefinition(text: string, mediaType: MediaType): ParsedDefinition {
  if (text.includes("\0"))
    throw new Problem("validation_failed", "The definition has a NUL character.", [
      { pointer: "", message: "It has a NUL character." },
    ]);
  const { value, locate } = readText(text, mediaType);
  refuseCrowd(value, locate);
  const parsed = Definition.safeParse(value);
  const flaws = parsed.success ? checkGraph(parsed.data.datasets) : flawsOf(parsed.error);
  if (flaws.length > 0 || !parsed.success)
    throw new Problem(
      "validation_failed",
      "The definition is not valid.",
      locate(flaws.slice(0, LIMITS.flawsReportedMax)),
    );
  const unknown = findUnknownMembers(parsed.data).map((pointer) => ({
    pointer,
    message: "Nothing here knows this member; it is kept as it is, and not read.",
  }));
  const unread = [...findKeptOnly(parsed.data), ...unknown];
  const reported = locate(unread.slice(0, LIMITS.flawsReportedMax)).map(warningOf);
  const unreported = unread.length - reported.length;
  return {
    definition: parsed.data,
    warnings:
      unreported > 0 ? [...reported, `There are ${unreported} more members that nothing here reads.`] : reported,
  };
}

/** Before each of them is looked at, which takes longer than to read them. */
function refuseCrowd(value: unknown, locate: (flaws: readonly Flaw[]) => Flaw[]): void {
  const datasets = (value as { datasets?: unknown } | null)?.datasets;
  if (typeof datasets !== "object" || datasets === null || Object.keys(datasets).length <= LIMITS.docDatasetsMax)
    return;
  throw new Problem(
    "validation_failed",
    "The definition is not valid.",
    locate([{ pointer: "/datasets", message: `A doc has at most ${LIMITS.docDatasetsMax} datasets.` }]),
  );
}

const warningOf = ({ pointer, message, line, column }: Flaw): string =>
  `${pointer}${line === undefined ? "" : ` (line ${line}, column ${column})`}: ${message}`;

/** Parses a stored text, which was valid when it was stored. */
export const reparse = (text: string, mediaType: MediaType): Definition =>
  Definition.parse(readText(text, mediaType).value);

/** Bytes, since a row is measured in them. */
export function refuseLongText(bytes: number): void {
  if (bytes <= LIMITS.docTextBytesMax) return;
  throw new Problem("body_too_large", `A definition has at most ${LIMITS.docTextBytesMax} bytes.`);
}
