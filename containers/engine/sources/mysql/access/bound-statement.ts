// A statement of a caller whom roles bind, from its text to what is sent in its place, and what is said when it fails.

import { Failure } from "../../../core/failure.ts";
import type { CallerAccess } from "../../access/caller-access.ts";
import { notThere } from "../../access/not-there.ts";
import type { FetchRows } from "../../row-collector.ts";
import { statementFailure } from "../connection/errors.ts";
import { MysqlError } from "../connection/packets.ts";
import { refused } from "../../statement-tokens.ts";
import { compose, type Composed } from "./compose.ts";
import { describeVisibleTables } from "./describe-tables.ts";
import { hasHiddenTable } from "./exchanged-names.ts";
import { columnNamesIn, findReferences } from "./references.ts";
import { keywordOf, isSymbol, scan, type Piece } from "./scan.ts";

const READING = ["SELECT", "WITH", "TABLE", "VALUES"];
/** Words that tell of the server or the session, or read what is not the table as it is now. */
const FORBIDDEN = new Set(["PROCEDURE", "SYSTEM_TIME", "CURRENT_USER", "CURRENT_ROLE", "SESSION_USER", "SYSTEM_USER"]);
const CHARACTERS_MAX = 1_000_000;

const READS_A_QUERY = "In the table's place stands a query of what they may see of it, which has neither.";

/** Syntax that stands behind a table's name and not behind a query. These words are reserved on every server. */
function partOfTable(piece: Piece, next: Piece | undefined): string | undefined {
  const keyword = keywordOf(piece) ?? "";
  if (["USE", "FORCE", "IGNORE"].includes(keyword) && ["INDEX", "KEY"].includes(keywordOf(next) ?? ""))
    return `Index hints (${keyword} ${keywordOf(next)})`;
  return keyword === "PARTITION" && isSymbol(next, "(") ? "Parts of a table (PARTITION)" : undefined;
}

/** The error quotes at most this many characters of the statement's rest. */
const QUOTED_CHARACTERS = 80;

const PREPARE = "SET NAMES utf8mb4";
const SERVER_QUERY = "SELECT @@lower_case_table_names, DATABASE() IS NULL";

/**
 * No database selected, unknown database, table or routine, and no leave to read them; views that are broken, or whose
 * owner is gone.
 */
const NOT_THERE_ERRORS = new Set([1044, 1046, 1049, 1109, 1142, 1143, 1146, 1305, 1356, 1370, 1449, 1630, 4091]);

const foldNothing = (name: string): string => name;
const foldCase = (name: string): string => name.toLowerCase();
/** Names of columns are one whatever the case of their letters, on every server. */
const foldColumn = (name: string): string => name.toUpperCase().toLowerCase();

export class BoundStatement {
  readonly #sql: string;
  readonly #database: string;
  readonly #access: CallerAccess;
  readonly #pieces: readonly Piece[];
  #composed: Composed | undefined;

  /**
   * `sql` has passed the gate. `database` is where tables without a schema's name are looked for. Throws
   * `statement_refused`. `parameters` is the number of values bound to it.
   */
  constructor(sql: string, database: string, access: CallerAccess, parameters = 0) {
    this.#sql = sql;
    this.#database = database;
    this.#access = access;
    if (sql.length > CHARACTERS_MAX)
      throw refused(sql, 0, `The statement is longer than ${CHARACTERS_MAX} characters.`);
    this.#pieces = scan(sql);
    const unbound = this.#pieces.filter((piece) => isSymbol(piece, "?"))[parameters];
    if (unbound) throw refused(sql, unbound.at, "? is not allowed here.");
    const first = this.#pieces.find((piece) => !isSymbol(piece, "("));
    if (!READING.includes(keywordOf(first) ?? ""))
      throw refused(sql, first?.at ?? 0, `Only ${READING.join(", ")} are allowed to whom data-access roles bind.`);
    const forbidden = this.#pieces.find((piece) => FORBIDDEN.has(keywordOf(piece) ?? ""));
    if (forbidden) throw refused(sql, forbidden.at, `${forbidden.text} is not allowed to whom data-access roles bind.`);
    this.#pieces.forEach((piece, i) => {
      const what = partOfTable(piece, this.#pieces[i + 1]);
      if (what)
        throw refused(sql, piece.at, `${what} are not allowed to whom data-access roles bind. ${READS_A_QUERY}`);
    });
  }

  /** The statement to send in its place, on the same connection, which must not have chosen a database. */
  async restrict(fetchRows: FetchRows): Promise<string> {
    await fetchRows(PREPARE, "");
    const [[letterCase, hasNoDatabase] = []] = await fetchRows(SERVER_QUERY, "nn");
    if (hasNoDatabase !== "1")
      throw new Failure(
        "statement_refused",
        "The server chooses a database for every session, so statements can't be held to data-access roles. " +
          "Take USE out of its init_connect.",
      );
    const fold = letterCase === "0" ? foldNothing : foldCase;
    const index = this.#access.indexBy(fold, foldColumn);
    const references = findReferences(this.#pieces, fold);
    const tables = [...references.tables.values()].map(({ schema = this.#database, name }) => ({ schema, name }));
    const visible = await describeVisibleTables(
      tables,
      { index, columns: columnNamesIn(this.#pieces, foldColumn) },
      fetchRows,
    );
    const parts = { pieces: this.#pieces, references, visible, database: this.#database, fold };
    if (hasHiddenTable(parts)) throw notThere();
    this.#composed = compose(parts);
    return this.#composed.sql;
  }

  /** A column's name as the caller's text would have made it. */
  restoreNames = (text: string): string => this.#composed?.restoreNames(text) ?? text;

  /** Says the same of what is hidden and of what is missing, and nothing of what was sent. */
  toFailure(error: unknown, expired: boolean): unknown {
    if (error instanceof MysqlError && NOT_THERE_ERRORS.has(error.errno)) return notThere(error);
    const failure = statementFailure(error, expired, this.#composed?.sql);
    if (!(error instanceof MysqlError) || !(failure instanceof Failure)) return failure;
    const at = this.#sourceIndex(failure.position);
    return new Failure(failure.code, this.#ownWords(failure.message, at), {
      position: at === undefined ? undefined : [...this.#sql.slice(0, at)].length + 1,
      cause: error,
    });
  }

  /** The server quotes what was sent from where it stopped reading; the caller is quoted what they wrote there. */
  #ownWords(message: string, at: number | undefined): string {
    const near = at === undefined ? "" : ` near '${this.#sql.slice(at, at + QUOTED_CHARACTERS)}'`;
    return this.restoreNames(message.replace(/ near '.*'(?= at line \d+$)/s, () => near));
  }

  #sourceIndex(position: number | undefined): number | undefined {
    if (position === undefined || !this.#composed) return undefined;
    const index = [...this.#composed.sql].slice(0, position - 1).join("").length;
    return this.#composed.sourceIndexOf(index) ?? this.#sql.length;
  }
}
