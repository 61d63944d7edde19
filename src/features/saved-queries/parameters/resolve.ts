// The values that a caller sent for a question, with its defaults. Pure.

import { pointerStep } from "../../../../kernel/text/json-pointer.ts";
import type { BoundParameter } from "../../../../kernel/wire/parameters.ts";
import { PARAMETER_LIMITS } from "../../../core/parameters.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";
import type { QuestionParameters } from "./declaration.ts";
import { readDeclared } from "./read-declared.ts";

export type BoundParameters = Readonly<Record<string, BoundParameter>>;

/** `fixed`: values that the caller may not send, because something else has set them. */
type Sent = { sent: Readonly<Record<string, unknown>>; fixed?: Readonly<Record<string, unknown>>; pointer: string };

/**
 * Every declared parameter with its value. Throws `validation_failed` with each that is missing, superfluous, fixed, of
 * another type or not allowed; `pointer` leads to where the values were sent.
 */
export function resolveParameters(declared: QuestionParameters, { sent, fixed = {}, pointer }: Sent): BoundParameters {
  const flaws: Flaw[] = [];
  const add = (name: string, message: string): void =>
    void flaws.push({ pointer: pointer + pointerStep(name), message });
  for (const name of Object.keys(sent))
    if (Object.hasOwn(fixed, name)) add(name, `The parameter ${name} is set already, and can't be sent.`);
  for (const name of new Set([...Object.keys(sent), ...Object.keys(fixed)]))
    if (!Object.hasOwn(declared, name)) add(name, `The question has no parameter ${name}.`);
  const bound: Record<string, BoundParameter> = {};
  for (const [name, declaration] of Object.entries(declared)) {
    const from = [fixed, sent].find((values) => Object.hasOwn(values, name));
    const value = from ? from[name] : declaration.default;
    if (value === undefined) {
      add(name, `The parameter ${name} has no value: send one.`);
      continue;
    }
    const read = readDeclared(declaration, value);
    if ("bound" in read) bound[name] = read.bound;
    else add(name, `The parameter ${name}: ${read.message}`);
  }
  const count = Object.values(bound).reduce((sum, { values }) => sum + values.length, 0);
  if (count > PARAMETER_LIMITS.valuesMax)
    flaws.push({ pointer, message: `The parameters may have ${PARAMETER_LIMITS.valuesMax} values together.` });
  if (flaws.length > 0) throw new Problem("validation_failed", "One or more parameters are not valid.", flaws);
  return bound;
}
