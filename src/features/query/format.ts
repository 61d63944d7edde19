// The choice of the result format that a caller asks for.

import { FORMATS, type Format } from "../../../kernel/wire/engine.ts";
import { Problem } from "../../core/problem.ts";

export const MEDIA_TYPES: Record<Format, string> = {
  json: "application/json",
  csv: "text/csv",
  ndjson: "application/x-ndjson",
  arrow: "application/vnd.apache.arrow.stream",
};

/**
 * Picks by `Accept` (RFC 9110 §12.5.1): the highest quality wins, and among equals the order of {@link FORMATS}, so
 * that a caller who takes anything gets JSON. Throws `not_acceptable` when none of them is taken.
 */
export function chooseFormat(accept: string | undefined): Format {
  const ranges = readRanges(accept ?? "*/*");
  const [best] = FORMATS.map((format) => ({ format, quality: qualityOf(MEDIA_TYPES[format], ranges) })).sort(
    (a, b) => b.quality - a.quality,
  );
  if (!best || best.quality === 0)
    throw new Problem("not_acceptable", `Accept one of ${Object.values(MEDIA_TYPES).join(", ")}.`);
  return best.format;
}

type Range = { type: string; quality: number };

function readRanges(accept: string): Range[] {
  return accept.split(",").map((part) => {
    const [type = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight);
    return { type, quality: Number.isFinite(quality) ? Math.min(Math.max(quality, 0), 1) : 0 };
  });
}

/** The most specific range that matches decides, even where a wider one would take it more gladly. */
function qualityOf(mediaType: string, ranges: Range[]): number {
  const wider = [mediaType, `${mediaType.split("/")[0]}/*`, "*/*"];
  for (const type of wider) {
    const range = ranges.find((candidate) => candidate.type === type);
    if (range) return range.quality;
  }
  return 0;
}
