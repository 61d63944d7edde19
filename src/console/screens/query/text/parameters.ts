// The values of a statement's parameters as they are typed, and as the API takes them. Pure.

import { PARAMETER_TYPES, type ParameterType } from "../../../../../kernel/wire/parameter-types.ts";
import type { TypedValue } from "../../../api/query-link.ts";
import { parameterNames } from "./statements.ts";

export const NEW_VALUE: TypedValue = { type: "auto", text: "" };

export const TYPE_CHOICES = ["auto", ...PARAMETER_TYPES].map((type) => ({ value: type, label: type }));

/** A whole number of up to 18 digits fits 64 bits. */
const LOOKS: readonly [ParameterType, RegExp][] = [
  ["integer", /^[+-]?\d{1,18}$/],
  ["decimal", /^[+-]?\d*\.?\d+$/],
  ["boolean", /^(true|false)$/i],
  ["date", /^\d{4}-\d\d-\d\d$/],
];

function typeOf({ type, text, isList }: TypedValue): ParameterType {
  if (type !== "auto") return type;
  const parts = (isList ? text.split(",") : [text]).map((part) => part.trim()).filter((part) => part !== "");
  const looks = LOOKS.find(([, look]) => parts.length > 0 && parts.every((part) => look.test(part)));
  return looks?.[0] ?? "text";
}

type ApiParameter = string | { type: ParameterType; value: string | boolean | null | (string | boolean)[] };

/**
 * Every value goes as text, so that none is rounded on its way, and with its type; one text alone takes the type that
 * its place asks for, as a literal does.
 */
export function apiParameters(names: readonly string[], values: Readonly<Record<string, TypedValue>>) {
  const parameters: Record<string, ApiParameter> = {};
  for (const name of names) {
    const value = values[name] ?? NEW_VALUE;
    const { text, isNull, isList } = value;
    const type = typeOf(value);
    const one = (typed: string) => (type === "boolean" ? typed.trim().toLowerCase() === "true" : typed);
    const trimmed = type === "text" ? text : text.trim();
    const list = () =>
      text
        .split(",")
        .map((part) => one(part.trim()))
        .filter((part) => part !== "");
    if (type === "text" && !isNull && !isList) parameters[name] = text;
    else parameters[name] = { type, value: isNull ? null : isList ? list() : one(trimmed) };
  }
  return names.length === 0 ? undefined : parameters;
}

/** How a saved query declares the parameters of its text. */
export const declaredParameters = (sql: string, values: Readonly<Record<string, TypedValue>>) =>
  Object.fromEntries(
    parameterNames(sql).map((name) => {
      const value = values[name] ?? NEW_VALUE;
      return [name, { type: typeOf(value), ...(value.isList && { list: true }) }];
    }),
  );
