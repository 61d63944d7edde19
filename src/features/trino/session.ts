// The session, which a client describes with each statement: Trino keeps nothing of it itself.

import { ENGINES, type EngineChoice } from "../query/query.ts";
import { Refusal } from "../trino-sql/refusal.ts";

export type Session = {
  catalog: string | undefined;
  schema: string | undefined;
  timeZone: string;
  /** Prepared statements, by their names. */
  prepared: ReadonlyMap<string, string>;
  /** Digits of a second that the client understands. */
  digitsMax: number;
  isInTransaction: boolean;
  /** What runs its queries. */
  engine: EngineChoice;
};

/** The one property that a session has. */
export const ENGINE_PROPERTY = "engine";
export const ENGINE_DEFAULT: EngineChoice = "duckdb";

const DIGITS_OF_OLD_CLIENTS = 3;
const DIGITS_MAX = 12;

export function readSession(headers: Headers): Session {
  const text = (name: string): string | undefined => headers.get(`x-trino-${name}`)?.trim() || undefined;
  const properties = pairsOf(text("session"));
  for (const property of properties.keys()) requireProperty(property);
  const capabilities = (text("client-capabilities") ?? "").split(",").map((each) => each.trim());
  return {
    catalog: text("catalog"),
    schema: text("schema"),
    timeZone: zoneOf(text("time-zone")),
    prepared: pairsOf(text("prepared-statement")),
    digitsMax: capabilities.includes("PARAMETRIC_DATETIME") ? DIGITS_MAX : DIGITS_OF_OLD_CLIENTS,
    engine: engineOf(properties.get(ENGINE_PROPERTY) ?? ENGINE_DEFAULT),
    isInTransaction: (text("transaction-id") ?? "NONE").toUpperCase() !== "NONE",
  };
}

/** A property that is passed over would be without effect, and one of the cluster's is not the sender's to set. */
export function requireProperty(name: string): void {
  if (name !== ENGINE_PROPERTY) throw new Refusal("NOT_SUPPORTED", `Session property '${name}' does not exist`);
}

export function engineOf(value: string): EngineChoice {
  const engine = ENGINES.find((each) => each === value);
  if (!engine) throw new Refusal("GENERIC_USER_ERROR", `The engine is one of ${ENGINES.join(", ")}.`);
  return engine;
}

/** `name=value`, separated by commas, both encoded as a URL's query is. */
function pairsOf(text: string | undefined): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const pair of (text ?? "").split(",")) {
    const at = pair.indexOf("=");
    if (at > 0) pairs.set(decoded(pair.slice(0, at).trim()), decoded(pair.slice(at + 1).trim()));
  }
  return pairs;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new Refusal("GENERIC_USER_ERROR", "A header of the session is not encoded as it should be.");
  }
}

/** As Trino's clients decode it. */
export const encodePair = (name: string, value: string): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;

function zoneOf(text: string | undefined): string {
  if (text === undefined || /^(utc|z|etc\/utc|gmt|etc\/gmt)$/i.test(text)) return "UTC";
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    // As it is sent, since moments show it: another name of the zone would be another text.
    return text;
  } catch {
    throw new Refusal("GENERIC_USER_ERROR", `Time zone not supported: ${text}`);
  }
}
