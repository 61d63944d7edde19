// Parameters of a statement as they are typed: name=text, name:type=value, name:=JSON. Pure.

import type { NewQuery } from "../../../typescript/src/client.ts";
import { UsageError } from "../exit-codes.ts";

type Parameters = NonNullable<NewQuery["parameters"]>;

const PARAMETER = /^([A-Za-z_]\w*)(?::([a-z]*))?=([\s\S]*)$/;

export function parseParameters(words: readonly string[]): Parameters {
  return Object.fromEntries(words.map(parseParameter));
}

function parseParameter(word: string): [string, Parameters[string]] {
  const [, name, type, value] = PARAMETER.exec(word) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`A parameter is name=text, name:type=value or name:=JSON, and not ${word}`);
  if (type === undefined) return [name, value];
  if (type !== "") return [name, { type, value } as Parameters[string]];
  try {
    return [name, JSON.parse(value) as Parameters[string]];
  } catch {
    throw new UsageError(`The value of ${name} is no JSON: ${value}`);
  }
}
