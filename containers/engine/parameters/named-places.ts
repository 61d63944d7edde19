// A statement names parameters as `$name`, outside of quotes and comments, by the rules of the language it is in.

import type { Source } from "../../../kernel/wire/source.ts";
import { tokensOf } from "../lake/sql/sql-text.ts";
import { BIGQUERY_RULES } from "../sources/bigquery/gate/lexer.ts";
import { MYSQL_RULES } from "../sources/mysql/gate/lexer.ts";
import { SNOWFLAKE_RULES } from "../sources/snowflake/gate/lexer.ts";
import { SQLSERVER_RULES } from "../sources/sqlserver/gate/lexer.ts";
import { matchEnd, scanStatement, type LexicalRules } from "../sources/statement-tokens.ts";

/** The language of a statement. */
export type Language = Source["type"] | "lake";

/** `at` and `end` are in UTF-16 units, the dollar sign included. */
export type NamedPlace = { name: string; at: number; end: number };

/**
 * All that a reader takes for one name. Names that are sent are ASCII: one with another letter is told as missing, and
 * not cut before that letter.
 */
const NAMED = /\$([\p{L}_][\p{L}\p{M}\p{N}_]*)/uy;
const DOLLAR_NUMBER = /\$(\d+)/y;
/** How a statement could say the number of a bound value; undefined where it can't, or where the text means another. */
const NUMBERED: Record<Language, RegExp | undefined> = {
  lake: DOLLAR_NUMBER,
  postgres: DOLLAR_NUMBER,
  redshift: DOLLAR_NUMBER,
  mysql: undefined,
  sqlserver: /@(p\d+)/iy,
  bigquery: undefined,
  snowflake: undefined,
};
/** A dollar sign within a word begins nothing. */
const WORD = /[\p{L}\p{M}\p{N}_@#][\p{L}\p{M}\p{N}_@#$]*/uy;

/** Every place of a sticky pattern outside of quotes and comments. */
type Scan = (sql: string, pattern: RegExp) => NamedPlace[];

const SCANS: Record<Language, Scan> = {
  lake: scanTokens,
  postgres: scanTokens,
  redshift: scanTokens,
  mysql: scanByRules(MYSQL_RULES),
  sqlserver: scanByRules(SQLSERVER_RULES),
  bigquery: scanByRules(BIGQUERY_RULES),
  snowflake: scanByRules(SNOWFLAKE_RULES),
};

export const namedPlaces = (sql: string, language: Language): NamedPlace[] => SCANS[language](sql, NAMED);

/** Places that would take the value of whichever name comes first. */
export function numberedPlaces(sql: string, language: Language): NamedPlace[] {
  const pattern = NUMBERED[language];
  return pattern ? SCANS[language](sql, pattern) : [];
}

function placeAt(sql: string, at: number, pattern: RegExp): NamedPlace | undefined {
  const end = matchEnd(pattern, sql, at);
  return end === undefined ? undefined : { name: sql.slice(at + 1, end), at, end };
}

function scanTokens(sql: string, pattern: RegExp): NamedPlace[] {
  const places: NamedPlace[] = [];
  for (const { at, end } of tokensOf(sql)) {
    // A text in dollar signs is one token, of several characters.
    const place = end === at + 1 ? placeAt(sql, at, pattern) : undefined;
    if (place) places.push(place);
  }
  return places;
}

function scanByRules(rules: LexicalRules): Scan {
  return (sql, pattern) => {
    const places: NamedPlace[] = [];
    scanStatement(sql, rules, {
      quoted: () => undefined,
      plain(at) {
        const place = placeAt(sql, at, pattern);
        if (place) places.push(place);
        return place?.end ?? matchEnd(WORD, sql, at) ?? at + 1;
      },
    });
    return places;
  };
}
