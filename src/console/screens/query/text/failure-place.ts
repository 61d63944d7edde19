// A failure lies at a place of a tab's text, and its sentence may propose another word for it. Pure.

import type { Run } from "../run/run.ts";
import { offsetOf } from "./statements.ts";

/** Undefined where the failure names no place, or the text has changed there since. */
export function placeOf(
  { problem, question, sent, offset }: Pick<Run, "problem" | "question" | "sent" | "offset">,
  text: string,
): { from: number; to: number } | undefined {
  const { line, column } = problem?.details ?? {};
  if (typeof line !== "number" || typeof column !== "number" || sent !== question.sql) return undefined;
  if (text.slice(offset, offset + question.sql.length) !== question.sql) return undefined;
  const from = offset + offsetOf(question.sql, { line, column });
  const word = /^(?:"(?:[^"]|"")*"|`[^`]*`|[\w$]+(?:\.[\w$]+)*|\S)/.exec(text.slice(from))?.[0] ?? "";
  return word === "" ? { from: Math.max(0, from - 1), to: from } : { from, to: from + word.length };
}

export type Repair = { title: string; text: string };

const REPAIRS_MAX = 4;
const NAMED = /"((?:[^"]|"")+)"/g;

/** Names that the sentence proposes: after "Did you mean", or as candidates. */
export function repairsOf(message: string, wrong: string): Repair[] {
  const proposal =
    /(?:did you mean|candidate (?:bindings|functions|tables|entries)[^:]*:|candidates? (?:are|is))\s*(.*)/is.exec(
      message,
    )?.[1];
  if (proposal === undefined) return [];
  const first = proposal.split(/\n|\?|\(at character/)[0]!;
  const quoted = [...first.matchAll(NAMED)].map((match) => match[1]!);
  const names =
    quoted.length > 0 ? quoted : (first.match(/[\w.]+/g) ?? []).filter((word) => word.toLowerCase() !== "or");
  const path = wrong.split(".");
  return [...new Set(names)].slice(0, REPAIRS_MAX).map((name) => {
    // A proposal without the schema keeps that of the text.
    const text = path.length > 1 && !name.includes(".") ? [...path.slice(0, -1), name].join(".") : name;
    return { title: `Write ${text}`, text };
  });
}
