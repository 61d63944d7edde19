// A value that was sent for a declared parameter, read by its declaration. Pure.

import type { BoundParameter } from "../../../../kernel/wire/parameters.ts";
import { readParameter } from "../../../core/parameters.ts";

/** `inferred`: a text of which the database may make what its place asks for, as an undeclared one is. */
type Declared = {
  type: BoundParameter["type"];
  list: boolean;
  nullable: boolean;
  allowed_values?: readonly unknown[] | undefined;
};

/** The value as it is bound, or what is wrong with it, for its sender. `allowed_sql` is not looked at here. */
export function readDeclared(declared: Declared, value: unknown): { bound: BoundParameter } | { message: string } {
  const { type, list, nullable, allowed_values: allowed } = declared;
  if (Array.isArray(value) && !list) return { message: "It takes one value, and no list." };
  const isValue = value === null || typeof value !== "object" || Array.isArray(value);
  if (!isValue) return { message: "Send a value of JSON: its type is declared." };
  const values = list && !Array.isArray(value) ? [value] : value;
  const read = readParameter(type === "inferred" ? values : { type, value: values });
  if ("flaw" in read) return { message: read.flaw.message };
  const { parameter: bound } = read;
  if (bound.type !== type) return { message: "Send a text." };
  if (!nullable && bound.values.includes(null)) return { message: "It may not be NULL." };
  if (allowed) {
    const outside = findOutside(bound, comparables(type, allowed));
    if (outside !== undefined) return { message: notAllowed(outside) };
  }
  return { bound };
}

export function flawOfValue(declared: Declared, value: unknown): string | undefined {
  const read = readDeclared({ ...declared, allowed_values: undefined }, value);
  return "message" in read ? read.message : undefined;
}

/** Values in a form in which equal ones are equal texts; what is none of the type is left out. */
export function comparables(type: BoundParameter["type"], values: readonly unknown[]): ReadonlySet<string> {
  const texts = values.flatMap((value) => {
    const read =
      value === null || typeof value === "object"
        ? undefined
        : readParameter(type === "inferred" ? value : { type, value });
    return read && "parameter" in read ? read.parameter.values : [];
  });
  return new Set(texts.flatMap((text) => (text === null ? [] : [comparable(type, text)])));
}

/** The first of the values that is not among `allowed`. */
export const findOutside = ({ type, values }: BoundParameter, allowed: ReadonlySet<string>): string | undefined =>
  values.find((value): value is string => value !== null && !allowed.has(comparable(type, value)));

const CHARACTERS_SHOWN = 100;

export const notAllowed = (value: string): string =>
  `${JSON.stringify(value.slice(0, CHARACTERS_SHOWN))} is not one of the allowed values.`;

/** Zeros at the end of a fraction make no other number, and no other time. */
const FRACTION = /(\.\d*?)0+(?=$|\+)/;

function comparable(type: BoundParameter["type"], text: string): string {
  if (type === "text" || type === "inferred") return text;
  const short = text.replace(FRACTION, "$1").replace(/\.(?=$|\+)/, "");
  return type === "decimal" ? short.replace(/^(-?)0+(?=\d)/, "$1").replace(/^-0$/, "0") : short;
}
