// The rules of one server of PostgreSQL's protocol: names that no statement may use through this gate, and texts that
// the server reads otherwise than PostgreSQL's parser does.

import { ALLOWED_FUNCTIONS, isAllowedType } from "../access/allowed-names.ts";
import { isForbiddenFunction, isForbiddenName, isForbiddenRelation, isForbiddenSetting } from "./forbidden.ts";

export type GateRules = {
  /** Makes one of the names that are one to the server, in quotes or not. */
  fold(name: string): string;
  /** Throws `statement_refused` where the server would cut the text into other tokens than PostgreSQL's parser. */
  checkTokens?(sql: string): void;
  /** A hint that is added to the parser's error. */
  syntaxHint?: string;
  /** Judges a call of `path` (schema, function). */
  isForbiddenFunction(path: string[], argumentCount: number): boolean;
  isForbiddenName(name: string): boolean;
  isForbiddenRelation(schema: string | undefined, name: string): boolean;
  isForbiddenSetting(name: string): boolean;
  /** The names that a bound caller's statement may use: all others may read what roles hide. */
  bound: { isAllowedFunction(name: string): boolean; isAllowedType(name: string): boolean };
};

export const POSTGRES_RULES: GateRules = {
  fold: (name) => name,
  isForbiddenFunction,
  isForbiddenName,
  isForbiddenRelation,
  isForbiddenSetting,
  bound: { isAllowedFunction: (name) => ALLOWED_FUNCTIONS.has(name), isAllowedType },
};
