// Where a statement names parameters: `$name` outside of quotes and comments, by the rules of the language it is in.

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

const NAMED = /\$([A-Za-z_][A-Za-z0-9_]*)/y;
/** A dollar sign within a word begins nothing. */
const WORD = /[\p{L}\p{M}\p{N}_@#][\p{L}\p{M}\p{N}_@#$]*/uy;

const PLACES: Record<Language, (sql: string) => NamedPlace[]> = {
  lake: placesByTokens,
  postgres: placesByTokens,
  redshift: placesByTokens,
  mysql: placesByRules(MYSQL_RULES),
  sqlserver: placesByRules(SQLSERVER_RULES),
  bigquery: placesByRules(BIGQUERY_RULES),
  snowflake: placesByRules(SNOWFLAKE_RULES),
};

export const namedPlaces = (sql: string, language: Language): NamedPlace[] => PLACES[language](sql);

function placeAt(sql: string, at: number): NamedPlace | undefined {
  const end = matchEnd(NAMED, sql, at);
  return end === undefined ? undefined : { name: sql.slice(at + 1, end), at, end };
}

function placesByTokens(sql: string): NamedPlace[] {
  const places: NamedPlace[] = [];
  for (const { at, end } of tokensOf(sql)) {
    // A text in dollar signs is one token, of several characters.
    const place = end === at + 1 ? placeAt(sql, at) : undefined;
    if (place) places.push(place);
  }
  return places;
}

function placesByRules(rules: LexicalRules): (sql: string) => NamedPlace[] {
  return (sql) => {
    const places: NamedPlace[] = [];
    scanStatement(sql, rules, {
      quoted: () => undefined,
      plain(at) {
        const place = placeAt(sql, at);
        if (place) places.push(place);
        return place?.end ?? matchEnd(WORD, sql, at) ?? at + 1;
      },
    });
    return places;
  };
}
