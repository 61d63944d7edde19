// The readers of JSON and YAML share what they answer, and how they say that they can't.

import { LineCounter } from "yaml";

/** What is wrong with a text before it has a value. */
export type TextFlaw = { message: string; offset?: number | undefined };

/**
 * A text's value, and by JSON pointer where a node of it begins; of nodes that are not there, where the nearest above
 * does.
 */
export type Reading = { value: unknown; offsetsOf: (pointers: readonly string[]) => (number | undefined)[] };
/** `tokens`: how much there was to read. */
export type YamlReading = Reading & { tokens: number };

export const FLAWS_MAX = 20;
export const tooDeep = (depthMax: number): string => `It nests deeper than ${depthMax} levels.`;

/** Thrown by readers, which know offsets; becomes `validation_failed` with lines and columns. */
export class UnreadableText extends Error {
  readonly flaws: readonly TextFlaw[];

  constructor(flaws: readonly TextFlaw[]) {
    super("The text can't be read.");
    this.flaws = flaws;
  }
}

/** What is wrong with a member's name that the object has already, or can't have. */
export function flawOfName(name: string, seen: Set<string>): string | undefined {
  if (seen.has(name)) return `The member ${name} is there twice.`;
  seen.add(name);
  // No name of a member to much of JavaScript, which would drop it without a word.
  return name === "__proto__" ? "No member can be called __proto__." : undefined;
}

/**
 * Refuses what JSON can't say back: circles of aliases, sets, bytes, numbers that are none. And depth, of which others
 * have less to spare. Throws {@link UnreadableText}.
 */
export function refuseUnsaid(whole: unknown, { valuesMax, depthMax }: { valuesMax: number; depthMax: number }): void {
  const wrong = (message: string): never => {
    throw new UnreadableText([{ message }]);
  };
  const above = new Set<object>();
  let values = 0;
  const look = (value: unknown): void => {
    if (++values > valuesMax) wrong(`It holds more than ${valuesMax} values.`);
    if (typeof value === "number" && !Number.isFinite(value)) wrong("It has a number that is not finite.");
    if (typeof value !== "object" || value === null) return;
    if (above.has(value)) wrong("It contains itself.");
    if (above.size === depthMax) wrong(tooDeep(depthMax));
    if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype)
      wrong("It has a value of a type that JSON does not have.");
    above.add(value);
    Object.values(value).forEach(look);
    above.delete(value);
  };
  look(whole);
}

/** A message may quote the text, of which there may be a mebibyte. */
export const shortened = (message: string): string =>
  message.length > MESSAGE_CHARACTERS_MAX ? `${message.slice(0, MESSAGE_CHARACTERS_MAX)}…` : message;
const MESSAGE_CHARACTERS_MAX = 300;

/** Where the lines of a text begin, for {@link LineCounter.linePos}. */
export function countLines(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines.addNewLine(at + 1);
  return lines;
}
