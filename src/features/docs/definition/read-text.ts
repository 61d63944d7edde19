// A text is read as a value, and JSON pointers are located in the text. JSON is read as JSON, YAML as YAML 1.2.

import type { LineCounter } from "yaml";
import { DOC_LIMITS } from "../limits.ts";
import { REQUEST_LIMITS } from "../../../http/request/limits.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";
import { readYaml } from "../../../core/text/read-yaml.ts";
import { countLines, FLAWS_MAX, refuseUnsaid, shortened, UnreadableText } from "../../../core/text/reading.ts";
import { readJson } from "./read-json.ts";

const YAML_BOUNDS = {
  tokensMax: DOC_LIMITS.yamlTokensMax,
  linesMax: DOC_LIMITS.yamlLinesMax,
  depthMax: DOC_LIMITS.depthMax,
  aliasesMax: DOC_LIMITS.aliasesMax,
  tooLong:
    `It has more than ${DOC_LIMITS.yamlTokensMax} words and signs, which is as much as can be read of YAML: write it ` +
    "shorter, or send it as JSON.",
};
const VALUE_BOUNDS = { valuesMax: REQUEST_LIMITS.bodyValuesMax, depthMax: DOC_LIMITS.depthMax };

export type MediaType = "application/json" | "application/yaml";
/**
 * `locate` says where in the text the flaws are, as far as their pointers lead: a missing member is shown where it is
 * missed.
 */
export type ReadText = { value: unknown; locate: (flaws: readonly Flaw[]) => Flaw[] };

/**
 * Throws `validation_failed` for text that is not of its type, says a key twice, or is more than a definition may be.
 */
export function readText(text: string, mediaType: MediaType): ReadText {
  let lines: LineCounter | undefined;
  const placed = <Placed extends object>(
    flaw: Placed,
    offset: number | undefined,
  ): Placed & { line?: number; column?: number } => {
    if (offset === undefined) return flaw;
    lines ??= countLines(text);
    const { line, col } = lines.linePos(offset);
    return { ...flaw, line, column: col };
  };
  try {
    const { value, offsetsOf } = mediaType === "application/json" ? readJson(text) : readYaml(text, YAML_BOUNDS);
    refuseUnsaid(value, VALUE_BOUNDS);
    const locate = (flaws: readonly Flaw[]): Flaw[] => {
      const offsets = offsetsOf(flaws.map(({ pointer }) => pointer));
      return flaws.map((flaw, i) => placed(flaw, offsets[i]));
    };
    return { value, locate };
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    return refuse(
      error.flaws
        .slice(0, FLAWS_MAX)
        .map(({ message, offset }) => placed({ pointer: "", message: shortened(message) }, offset)),
    );
  }
}

function refuse(flaws: Flaw[]): never {
  const [first] = flaws;
  const where = first?.line === undefined ? "" : ` Line ${first.line}, column ${first.column}.`;
  throw new Problem("validation_failed", `The definition can't be read: ${first?.message ?? ""}${where}`, flaws);
}
