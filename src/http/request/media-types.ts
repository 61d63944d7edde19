// Media types as requests name them: what an answer may be, and what a body is.

export const YAML = "application/yaml";
/** RFC 9512 names the first; the others were there before it. */
const YAML_TYPES = [YAML, "application/x-yaml", "text/yaml", "text/x-yaml"] as const;

/** Whether a body of this `Content-Type` is YAML. */
export const isYaml = (contentType: string | null): boolean =>
  (YAML_TYPES as readonly string[]).includes(mediaTypeOf(contentType));

export const mediaTypeOf = (contentType: string | null): string =>
  (contentType ?? "").split(";")[0]!.trim().toLowerCase();

/** Whether an `Accept` takes YAML, under any of its names, more gladly than JSON. */
export function prefersYaml(accept: string | null): boolean {
  const chosen = chooseMediaType(accept ?? "*/*", ["application/json", ...YAML_TYPES]);
  return chosen !== undefined && chosen !== "application/json";
}

/**
 * Picks by `Accept` (RFC 9110 §12.5.1): the highest quality wins, and among equals the order of what is offered.
 * Undefined where none of it is taken.
 */
export function chooseMediaType<const Type extends string>(accept: string, offered: readonly Type[]): Type | undefined {
  const ranges = readRanges(accept);
  const [best] = offered
    .map((type) => ({ type, quality: qualityOf(type, ranges) }))
    .sort((a, b) => b.quality - a.quality);
  return best && best.quality > 0 ? best.type : undefined;
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
