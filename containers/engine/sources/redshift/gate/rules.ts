// The rules of the gate before Redshift.

import { isForbiddenSetting } from "../../postgres/gate/forbidden.ts";
import type { GateRules } from "../../postgres/gate/gate-rules.ts";
import { isAllowedFunction, isAllowedType } from "../access/allowed-names.ts";
import { checkTokens } from "./check-tokens.ts";
import { isForbiddenNotation, isForbiddenRedshiftFunction, isForbiddenRedshiftRelation } from "./forbidden.ts";

/**
 * Unless a session asks for it otherwise, Redshift makes names in quotes small too. It says so of ASCII letters; signs
 * that only look like them are taken for them here, for what is forbidden is so in each spelling.
 */
export const foldName = (name: string): string => name.normalize("NFKC").toLowerCase();

export const REDSHIFT_RULES: GateRules = {
  fold: foldName,
  checkTokens,
  syntaxHint:
    "Statements are read by PostgreSQL's grammar before they are sent: write LIMIT for TOP, EXCEPT for MINUS, a " +
    "subquery for QUALIFY and PIVOT, count(DISTINCT …) for APPROXIMATE, and a number for MAX in VARCHAR(MAX).",
  isForbiddenFunction: isForbiddenRedshiftFunction,
  isForbiddenName: isForbiddenNotation,
  isForbiddenRelation: isForbiddenRedshiftRelation,
  // An escape in it makes it another name to the server than to the parser.
  isForbiddenSetting: (name) => name.includes("\\") || isForbiddenSetting(name),
  bound: { isAllowedFunction, isAllowedType },
};
