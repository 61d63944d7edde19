// What the readers of JSON and YAML share: what they answer, and how they say that they can't.

import { LIMITS } from "../../../core/limits.ts";

/** What is wrong with a text before it has a value. */
export type TextFlaw = { message: string; offset?: number | undefined };

/**
 * A text's value, and by JSON pointer where a node of it begins; of nodes that are not there, where the nearest above
 * does.
 */
export type Reading = { value: unknown; offsetsOf: (pointers: readonly string[]) => (number | undefined)[] };

export const FLAWS_MAX = 20;
export const TOO_DEEP = `It nests deeper than ${LIMITS.docDepthMax} levels.`;

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

export const stepsOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
