// Definitions that are objects, as YAML in one order of members, without those that say nothing. Pure.

import { parse, stringify } from "yaml";
import { UsageError } from "../exit-codes.ts";
import { isMap } from "../json.ts";
import type { Files } from "./kind.ts";

/** Members that say what is so without them, too. */
export type Defaults = Readonly<Record<string, unknown>>;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The object without the members that say what is so without them. */
export const withoutDefaults = (value: object, defaults: Defaults): object =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([name, each]) => each !== undefined && !(Object.hasOwn(defaults, name) && isSame(each, defaults[name])),
    ),
  );

/** `value` in the order of `members`; others come after, in the order that they have. */
export function toYaml(value: object, members: readonly string[], defaults: Defaults): string {
  const given = Object.entries(withoutDefaults(value, defaults));
  const place = (name: string): number => (members.includes(name) ? members.indexOf(name) : members.length);
  given.sort(([one], [other]) => place(one) - place(other));
  return stringify(Object.fromEntries(given), { lineWidth: 0, blockQuote: "literal" });
}

/** The object that a file holds. Throws `UsageError` with the file's name. */
export function fromYaml(files: Files): Record<string, unknown> {
  const [path, text] = Object.entries(files)[0]!;
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isMap(value)) throw new UsageError(`${path}: a definition is a map of members.`);
  return value;
}

/** A member that is a map of maps, empty where it is absent. Throws `UsageError` with the file's name. */
export function mapMember(files: Files, name: string): Record<string, object> {
  const value = fromYaml(files)[name] ?? {};
  if (!isMap(value) || !Object.values(value).every(isMap))
    throw new UsageError(`${Object.keys(files)[0]}: ${name} has to be a map of maps.`);
  return value as Record<string, object>;
}

/** A member that is a list of maps, empty where it is absent. Throws `UsageError` with the file's name. */
export function mapsMember(files: Files, name: string): Record<string, unknown>[] {
  const value = fromYaml(files)[name] ?? [];
  if (!Array.isArray(value) || !value.every(isMap))
    throw new UsageError(`${Object.keys(files)[0]}: ${name} has to be a list of maps.`);
  return value as Record<string, unknown>[];
}

/** A member that has to be a text. */
export function textMember(files: Files, name: string): string {
  const { [name]: value } = fromYaml(files);
  if (typeof value !== "string" || value === "")
    throw new UsageError(`${Object.keys(files)[0]}: ${name} has to be a text.`);
  return value;
}
