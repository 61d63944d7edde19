// The values of a statement's parameters as they are typed, and as the API takes them. Pure.

import { PARAMETER_TYPES, type ParameterType } from "../../../../../kernel/wire/parameters.ts";
import { parameterNames } from "./statements.ts";

/** `isNull` sends NULL; a list is typed with commas between its values. */
export type TypedValue = { type: ParameterType; text: string; isNull?: boolean; isList?: boolean };

export const NEW_VALUE: TypedValue = { type: "text", text: "" };

export const TYPE_CHOICES = PARAMETER_TYPES.map((type) => ({ value: type, label: type }));

type ApiParameter = string | { type: ParameterType; value: string | boolean | null | (string | boolean)[] };

/**
 * Every value goes as text, so that none is rounded on its way, and with its type; one text alone takes the type that
 * its place asks for, as a literal does.
 */
export function apiParameters(names: readonly string[], values: Readonly<Record<string, TypedValue>>) {
  const parameters: Record<string, ApiParameter> = {};
  for (const name of names) {
    const { type, text, isNull, isList } = values[name] ?? NEW_VALUE;
    const one = (value: string) => (type === "boolean" ? value.trim().toLowerCase() === "true" : value);
    const trimmed = type === "text" ? text : text.trim();
    const list = () =>
      text
        .split(",")
        .map((value) => one(value.trim()))
        .filter((value) => value !== "");
    if (type === "text" && !isNull && !isList) parameters[name] = text;
    else parameters[name] = { type, value: isNull ? null : isList ? list() : one(trimmed) };
  }
  return names.length === 0 ? undefined : parameters;
}

/** How a saved query declares the parameters of its text. */
export const declaredParameters = (sql: string, values: Readonly<Record<string, TypedValue>>) =>
  Object.fromEntries(
    parameterNames(sql).map((name) => {
      const { type, isList } = values[name] ?? NEW_VALUE;
      return [name, { type, ...(isList && { list: true }) }];
    }),
  );
