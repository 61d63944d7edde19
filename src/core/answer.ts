// The catalog answers across its boundary with plain data, because an error's class does not survive the crossing.

import { Problem, type Flaw, type ProblemCode } from "./problem.ts";

export type Refusal = { code: ProblemCode; detail: string; flaws: Flaw[] };
export type Answer<Value> = { ok: true; value: Value } | { ok: false; refusal: Refusal };

export const accept = <Value>(value: Value): Answer<Value> => ({ ok: true, value });

export const refuse = (code: ProblemCode, detail: string, flaws: Flaw[] = []): { ok: false; refusal: Refusal } => ({
  ok: false,
  refusal: { code, detail, flaws },
});

/** The value of a catalog's answer; throws the refusal as the Problem it is. */
export function valueOf<Value>(answer: Answer<Value>): Value {
  if (answer.ok) return answer.value;
  throw new Problem(answer.refusal.code, answer.refusal.detail, answer.refusal.flaws);
}
