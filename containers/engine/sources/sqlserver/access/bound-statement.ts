// A statement of a caller whom roles bind, from its text to what is sent in its place, and what is said when it fails.
//
// T-SQL is not rewritten here: a statement reads a table wholly or not at all, and each name in it counts as every
// table of that name. A hidden name is exchanged for a name that no object has, all over the statement, so that the
// server answers as for a missing object.

import { randomBytes } from "node:crypto";
import { Failure } from "../../../core/failure.ts";
import type { CallerAccess } from "../../access/caller-access.ts";
import { notThere } from "../../access/not-there.ts";
import type { FetchRows } from "../../row-collector.ts";
import { statementFailure } from "../connection/errors.ts";
import { SqlServerError } from "../connection/tokens.ts";
import { isWord, type CheckedStatement } from "../gate/check-statement.ts";
import { foldAccents, nameFolding } from "../name-folding.ts";
import { findHiddenNames } from "./hidden-names.ts";
import { writtenNames, type WrittenName } from "./written-names.ts";

/** Invalid names of tables, types, routines; no leave to read, run or see them; views that are broken. */
const NOT_THERE_ERRORS = new Set([
  195, 208, 229, 230, 243, 258, 262, 297, 300, 371, 916, 942, 2812, 4121, 4413, 4501, 4502, 4506, 7202, 15151, 15247,
]);
/** Errors of the statement's own words: nothing has been read of a view yet. */
const SYNTAX_ERRORS = new Set([102, 105, 156, 137, 141, 145, 147, 319, 8120, 8155, 8156, 8158, 8159]);
/** Make values of names, which would be other ones. */
const NAMES_AS_VALUES = ["PIVOT", "UNPIVOT", "OPENJSON"];

export class BoundStatement {
  readonly #statement: CheckedStatement;
  readonly #access: CallerAccess;
  readonly #names: readonly WrittenName[];
  /** By the name that was sent, the caller's own. */
  readonly #exchanged = new Map<string, string>();
  #hasView = false;

  /** Throws `statement_refused` for what no bound caller may use. */
  constructor(statement: CheckedStatement, access: CallerAccess) {
    this.#statement = statement;
    this.#access = access;
    this.#names = writtenNames(statement.text, statement.tokens);
  }

  /** The statement to send in its place. */
  async restrict(fetchRows: FetchRows): Promise<string> {
    const fold = await nameFolding(fetchRows);
    const { hidden, hasView } = await findHiddenNames(this.#names, this.#access.indexBy(fold), fetchRows);
    this.#hasView = hasView;
    const isValue = this.#statement.tokens.some((token) => isWord(token, ...NAMES_AS_VALUES));
    if (isValue && hidden.length > 0) throw notThere();
    const byName = new Map<string, string>();
    let sent = "";
    let at = 0;
    for (const { token } of hidden.toSorted((a, b) => a.token.at - b.token.at)) {
      const key = foldAccents(token.text);
      const name = byName.get(key) ?? `x${randomBytes(12).toString("hex")}`;
      byName.set(key, name);
      if (!this.#exchanged.has(name)) this.#exchanged.set(name, token.text);
      sent += `${this.#statement.text.slice(at, token.at)}[${name}]`;
      at = token.end;
    }
    return sent + this.#statement.text.slice(at);
  }

  /** A column's name as the caller's text would have made it. */
  restoreNames = (text: string): string =>
    [...this.#exchanged].reduce((restored, [name, own]) => restored.replaceAll(name, () => own), text);

  /** Says the same of what is hidden and of what is missing; of what a view computes it keeps the words back. */
  toFailure(error: unknown, expired: boolean): unknown {
    if (!(error instanceof SqlServerError)) return statementFailure(error, expired);
    if (NOT_THERE_ERRORS.has(error.number)) return notThere(error);
    const failure = statementFailure(error, expired);
    if (!(failure instanceof Failure)) return failure;
    const message =
      this.#hasView && failure.code === "sql_error" && !SYNTAX_ERRORS.has(error.number)
        ? `The statement failed while it ran (error ${error.number}).`
        : this.restoreNames(failure.message);
    return new Failure(failure.code, message, { position: failure.position, cause: error });
  }
}
