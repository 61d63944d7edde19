// Parameters by name become values by position: the text gets a place for each value, and a cast where its type has to
// be said. No value becomes part of the text. Where the database reads quotes or comments otherwise than this does, it
// finds another number of places than there are values, and refuses the statement.

import type { BoundValue } from "../../../kernel/semantic/query.ts";
import type { BoundParameter } from "../../../kernel/wire/parameters.ts";
import { Failure } from "../core/failure.ts";
import { LANGUAGES, type ParameterLanguage } from "./languages.ts";
import { namedPlaces, numberedPlaces, type Language, type NamedPlace } from "./named-places.ts";

export type BoundStatement = {
  sql: string;
  values: BoundValue[];
  /** The error with its position in the text as it was sent, and the names of the values that it quotes. */
  rewriteError(error: unknown): unknown;
};

/** A name may stand in many places, and a list has a value for each of them. */
const VALUES_PLACED_MAX = 10_000;

type Parameters = Readonly<Record<string, BoundParameter>>;

/**
 * Throws `statement_refused` where a name has no value, a value's name is not in the statement, or the database can't
 * hold a value.
 */
export function bindParameters(sent: string, parameters: Parameters, language: Language): BoundStatement {
  const places = namedPlaces(sent, language);
  refuseNumbers(sent, language);
  checkNames(sent, places, parameters);
  checkTexts(sent, places, parameters, LANGUAGES[language]);
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
    const text = binder.bind(name, parameters[name]!);
    sql += sent.slice(from, at) + text;
    characters += charactersIn(sent.slice(from, at));
    edits.push({ at: characters, sent: end - at, bound: text.length });
    // A name is ASCII.
    characters += end - at;
    from = end;
  }
  sql += sent.slice(from);
  return { sql, values: binder.values, rewriteError: (error) => withNames(withSentPosition(error, edits), parameters) };
}

function refuseNumbers(sql: string, language: Language): void {
  const [place] = numberedPlaces(sql, language);
  if (!place) return;
  const written = sql.slice(place.at, place.end);
  throw refusedAt(sql, place, `Parameters have names ($name) and no numbers: the statement has ${written}.`);
}

const refusedAt = (sql: string, place: NamedPlace | undefined, message: string): Failure =>
  new Failure("statement_refused", message, { position: place && charactersIn(sql.slice(0, place.at)) + 1 });

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
  throw refusedAt(sql, missing, sentences.join(" "));
}

function checkTexts(
  sql: string,
  places: readonly NamedPlace[],
  parameters: Parameters,
  { flawOf }: ParameterLanguage,
): void {
  for (const place of places) {
    const flaw = parameters[place.name]!.values.map((value) => value && flawOf(value)).find(Boolean);
    if (flaw) throw refusedAt(sql, place, `The value of $${place.name} can't be sent: ${flaw}.`);
  }
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
  readonly #shared = new Map<string, string>();

  constructor(language: ParameterLanguage) {
    this.#language = language;
  }

  /** The text that stands for a parameter; a list stands for its values with commas between. */
  bind(name: string, parameter: BoundParameter): string {
    const text = this.#shared.get(name) ?? this.#textOf(parameter);
    if (this.#language.sharesPlaces) this.#shared.set(name, text);
    return text;
  }

  #textOf({ type, values }: BoundParameter): string {
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

/** Shorter texts are in messages by chance. */
const QUOTED_MIN = 2;

/** An error of the database, which knows the values alone, with the names of the parameters whose texts it quotes. */
function withNames(error: unknown, parameters: Parameters): unknown {
  if (!(error instanceof Failure) || error.code !== "sql_error") return error;
  const { message } = error;
  const isQuoted = (text: string | null): boolean =>
    text !== null &&
    text.length >= QUOTED_MIN &&
    ([`'${text}'`, `"${text}"`, `: ${text} (`].some((quoted) => message.includes(quoted)) ||
      message.endsWith(`: ${text}`));
  const names = Object.entries(parameters)
    .filter(([, { type, values }]) => (type === "text" || type === "inferred") && values.some(isQuoted))
    .map(([name]) => name);
  return names.length === 0 ? error : error.reworded(`${message} (The value of ${listed(names)}.)`, error.position);
}
