// From text to value, and from JSON pointers back to where they stand in the text. JSON is read as JSON, YAML as YAML
// 1.2.

import { LineCounter } from "yaml";
import { LIMITS } from "../../../core/limits.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";
import { readJson } from "./read-json.ts";
import { readYaml } from "./read-yaml.ts";
import { FLAWS_MAX, TOO_DEEP, UnreadableText } from "./reading.ts";

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
  const lines = new LineCounter();
  const placed = <Placed extends object>(
    flaw: Placed,
    offset: number | undefined,
  ): Placed & { line?: number; column?: number } => {
    if (offset === undefined) return flaw;
    if (lines.lineStarts.length === 0) countLines(text, lines);
    const { line, col } = lines.linePos(offset);
    return { ...flaw, line, column: col };
  };
  try {
    const { value, offsetsOf } = mediaType === "application/json" ? readJson(text) : readYaml(text);
    refuseUnsaid(value);
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

/** A message may quote the text, of which there is a mebibyte. */
const shortened = (message: string): string =>
  message.length > MESSAGE_CHARACTERS_MAX ? `${message.slice(0, MESSAGE_CHARACTERS_MAX)}…` : message;
const MESSAGE_CHARACTERS_MAX = 300;

function countLines(text: string, lines: LineCounter): void {
  lines.addNewLine(0);
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines.addNewLine(at + 1);
}

function refuse(flaws: Flaw[]): never {
  const [first] = flaws;
  const where = first?.line === undefined ? "" : ` Line ${first.line}, column ${first.column}.`;
  throw new Problem("validation_failed", `The definition can't be read: ${first?.message ?? ""}${where}`, flaws);
}

/**
 * What JSON can't say back: circles of aliases, sets, bytes, numbers that are none. And depth, of which others have
 * less to spare.
 */
function refuseUnsaid(whole: unknown): void {
  const wrong = (message: string): never => {
    throw new UnreadableText([{ message }]);
  };
  const above = new Set<object>();
  let values = 0;
  const look = (value: unknown): void => {
    if (++values > LIMITS.bodyValuesMax) wrong(`It holds more than ${LIMITS.bodyValuesMax} values.`);
    if (typeof value === "number" && !Number.isFinite(value)) wrong("It has a number that is not finite.");
    if (typeof value !== "object" || value === null) return;
    if (above.has(value)) wrong("It contains itself.");
    if (above.size === LIMITS.docDepthMax) wrong(TOO_DEEP);
    if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype)
      wrong("It has a value of a type that JSON does not have.");
    above.add(value);
    Object.values(value).forEach(look);
    above.delete(value);
  };
  look(whole);
}
