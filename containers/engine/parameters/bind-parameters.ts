// Parameters by name become values by position: the text gets a place for each value, and a cast where its type has to
// be said. No value becomes part of the text. Where the database reads quotes or comments otherwise than this does, it
// finds another number of places than there are values, and refuses the statement.

import type { BoundValue } from "../../../kernel/semantic/query.ts";
import type { BoundParameter } from "../../../kernel/wire/parameters.ts";
import { Failure } from "../core/failure.ts";
import { LANGUAGES, type ParameterLanguage } from "./languages.ts";
import { namedPlaces, type Language, type NamedPlace } from "./named-places.ts";

export type BoundStatement = {
  sql: string;
  values: BoundValue[];
  /** The error with its position in the text as it was sent. */
  rewriteError(error: unknown): unknown;
};

/** A name may stand in many places, and a list has a value for each of them. */
const VALUES_PLACED_MAX = 10_000;

type Parameters = Readonly<Record<string, BoundParameter>>;

/** Throws `statement_refused` where a name has no value, or a value's name is not in the statement. */
export function bindParameters(sent: string, parameters: Parameters, language: Language): BoundStatement {
  const places = namedPlaces(sent, language);
  checkNames(sent, places, parameters);
  const count = places.reduce((sum, { name }) => sum + Math.max(1, parameters[name]!.values.length), 0);
  if (count > VALUES_PLACED_MAX)
    throw new Failure(
      "statement_refused",
      `The statement has ${count} places for values, each of a list counted; it may have ${VALUES_PLACED_MAX}.`,
    );
  const binder = new Binder(LANGUAGES[language]);
  const edits: Edit[] = [];
  let sql = "";
  let from = 0;
  let characters = 0;
  for (const { name, at, end } of places) {
    const text = binder.bind(parameters[name]!);
    sql += sent.slice(from, at) + text;
    characters += charactersIn(sent.slice(from, at));
    edits.push({ at: characters, sent: end - at, bound: text.length });
    // A name is ASCII.
    characters += end - at;
    from = end;
  }
  sql += sent.slice(from);
  return { sql, values: binder.values, rewriteError: (error) => withSentPosition(error, edits) };
}

function checkNames(sql: string, places: readonly NamedPlace[], parameters: Parameters): void {
  const named = new Set(places.map(({ name }) => name));
  const missing = places.find(({ name }) => !Object.hasOwn(parameters, name));
  const lacking = [...named].filter((name) => !Object.hasOwn(parameters, name));
  const unused = Object.keys(parameters).filter((name) => !named.has(name));
  if (lacking.length === 0 && unused.length === 0) return;
  const sentences = [
    ...(lacking.length > 0 ? [`The statement has no value for ${listed(lacking)}: send it in parameters.`] : []),
    ...(unused.length > 0 ? [`The statement does not name ${listed(unused)}, which parameters has.`] : []),
  ];
  const position = missing && charactersIn(sql.slice(0, missing.at)) + 1;
  throw new Failure("statement_refused", sentences.join(" "), { position });
}

const LISTED_MAX = 20;
const listed = (names: readonly string[]): string =>
  names
    .slice(0, LISTED_MAX)
    .map((name) => `$${name}`)
    .join(", ") + (names.length > LISTED_MAX ? " …" : "");

/** Gathers the values in the order of their places. */
class Binder {
  readonly values: BoundValue[] = [];
  readonly #language: ParameterLanguage;

  constructor(language: ParameterLanguage) {
    this.#language = language;
  }

  /** The text that stands for a parameter; a list stands for its values with commas between. */
  bind({ type, values }: BoundParameter): string {
    if (values.length > 0) return values.map((value) => this.#place(type, value)).join(", ");
    return this.#language.noRows(`CAST(NULL AS ${this.#typeName(type === "inferred" ? "text" : type, null)})`);
  }

  #place(type: BoundParameter["type"], value: string | null): string {
    const { hasNativeValues, infersTexts, placeholder } = this.#language;
    const native = hasNativeValues ? nativeOf(type, value) : undefined;
    this.values.push(native ?? value);
    const place = placeholder(this.values.length);
    const isBare = native !== undefined || type === "inferred" || (type === "text" && !infersTexts && value !== null);
    return isBare ? place : `CAST(${place} AS ${this.#typeName(type, value)})`;
  }

  #typeName(type: Exclude<BoundParameter["type"], "inferred">, value: string | null): string {
    const name = this.#language.types[type];
    return typeof name === "string" ? name : name(value);
  }
}

/** The value as the protocol has it; undefined where it goes as a text that is cast. */
function nativeOf(type: BoundParameter["type"], value: string | null): BoundValue | undefined {
  if (value === null) return undefined;
  if (type === "boolean") return value === "true";
  if (type !== "integer") return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** A place in the text as it was sent, and how many characters of each text it takes. */
type Edit = { at: number; sent: number; bound: number };

const charactersIn = (text: string): number => [...text].length;

function withSentPosition(error: unknown, edits: readonly Edit[]): unknown {
  if (!(error instanceof Failure) || error.position === undefined) return error;
  const index = error.position - 1;
  let shift = 0;
  for (const { at, sent, bound } of edits) {
    if (index < at + shift) break;
    if (index < at + shift + bound) return error.reworded(error.message, at + 1);
    shift += bound - sent;
  }
  return error.reworded(error.message, index - shift + 1);
}
