// A statement of a caller whom data-access roles bind: it is sent where every table that it could read is open to the
// caller as a whole, and not at all otherwise.
//
// Snowflake's grammar is not parsed here, so two walls stand one behind the other. Each identifier, wherever it
// stands, counts as each table of that name. And each name in the place of a table has to be one that the database
// lists and the roles open: a stream, which no list of tables has, gives a table's rows too.

import { Failure } from "../../../core/failure.ts";
import type { CallerAccess } from "../../access/caller-access.ts";
import { notThere } from "../../access/not-there.ts";
import { checkWholeTables, tablesNamed } from "../../access/whole-tables.ts";
import type { FetchRows, TextRow } from "../../row-collector.ts";
import type { SourceTableName } from "../../../extract/source-table.ts";
import { SnowflakeError } from "../connection/errors.ts";
import type { CheckedStatement } from "../gate/check-statement.ts";
import { SESSION_FUNCTIONS } from "../gate/functions.ts";
import { isSymbol, refused } from "../../statement-tokens.ts";
import { isIdentifier, isWord, namesIn } from "../gate/tokens.ts";
import { quoteIdentifier, quoteLiteral } from "../sql-text.ts";
import { findRelations, type Relation } from "./relations.ts";

const NAMES_MAX = 1_000;
/** Words that read a table as it was, or functions that tell of the session. */
const PAST = ["AT", "BEFORE", "CHANGES"];
const CATALOG = "INFORMATION_SCHEMA";
/** A missing table, database or schema; a missing column; a function that is not known. */
const NOT_THERE_ERRORS = new Set(["002003", "002043", "000904", "002140", "002141", "003001"]);

const fold = (name: string): string => name.toUpperCase();

type KnownTable = SourceTableName & { isTable: boolean };

export class BoundStatement {
  readonly #statement: CheckedStatement;
  readonly #database: string;
  readonly #access: CallerAccess;
  readonly #relations: Relation[];
  /** Whether what it reads is nothing but tables, so that an error holds nothing of rows that a view leaves out. */
  #isOfTables = false;

  /** Throws `statement_refused`. */
  constructor(statement: CheckedStatement, database: string, access: CallerAccess) {
    this.#statement = statement;
    this.#database = database;
    this.#access = access;
    const { sql, tokens } = statement;
    tokens.forEach((token, i) => {
      const isPast = isWord(token, ...PAST) && isSymbol(tokens[i + 1], "(");
      if (isPast || (token.kind === "word" && SESSION_FUNCTIONS.has(token.text)))
        throw refused(sql, token.at, `${token.text} is not allowed to whom data-access roles bind.`);
    });
    this.#relations = findRelations(sql, tokens);
  }

  /** To be asked in the session that will run the statement. Rejects as for a table that is not there. */
  async check(fetchRows: FetchRows): Promise<void> {
    const names = namesIn(this.#statement.tokens).map((name) => name.map((i) => this.#statement.tokens[i]!.text));
    if (names.some((parts) => parts.some((part) => fold(part) === CATALOG))) throw notThere();
    // Rights of other roles would open what this role's list does not show.
    await fetchRows("USE SECONDARY ROLES NONE", "");
    const [[currentSchema = null] = []] = await fetchRows("SELECT CURRENT_SCHEMA()", "T");
    const known = await this.#fetchTables(fetchRows);
    const index = this.#access.indexBy(fold);
    checkWholeTables(index, tablesNamed(names, known, fold));
    for (const relation of this.#relations) {
      const table = this.#resolve(relation, known, currentSchema);
      if (!table || isAmbiguous(table, known)) throw notThere();
    }
    this.#isOfTables = known.every(({ isTable }) => isTable);
  }

  /** Says the same of what is hidden and of what is missing, and nothing of what a view computes. */
  toFailure(failure: unknown): unknown {
    const cause = failure instanceof Failure ? failure.cause : failure;
    if (!(cause instanceof SnowflakeError)) return failure;
    if (NOT_THERE_ERRORS.has(cause.code.padStart(6, "0"))) return notThere(cause);
    const isOurs = failure instanceof Failure && failure.code !== "sql_error";
    if (isOurs || this.#isOfTables) return failure;
    return new Failure("sql_error", "The statement failed at the source, which reads a view for it.", { cause });
  }

  /** The table that a name stands for: in the session's schema, or with its schema, or with this database too. */
  #resolve({ parts }: Relation, known: readonly KnownTable[], currentSchema: string | null): KnownTable | undefined {
    const [name, schema = currentSchema, database = this.#database, ...more] = parts.toReversed();
    if (database !== this.#database || more.length > 0) return undefined;
    return known.find((table) => table.name === name && table.schema === schema);
  }

  async #fetchTables(fetchRows: FetchRows): Promise<KnownTable[]> {
    const { sql, tokens } = this.#statement;
    const names = [...new Set(tokens.filter(isIdentifier).map(({ text }) => fold(text)))];
    if (names.length > NAMES_MAX)
      throw refused(
        sql,
        0,
        `The statement has more than ${NAMES_MAX} names, which can't be held to data-access roles.`,
      );
    const rows = await fetchRows(
      `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE FROM ${quoteIdentifier(this.#database)}.${CATALOG}.TABLES
      WHERE UPPER(TABLE_NAME) IN (${names.map(quoteLiteral).join(", ")}) AND TABLE_SCHEMA <> '${CATALOG}'`,
      "ttT",
    );
    return rows.map(([schema, name, type]: TextRow) => ({
      schema: schema!,
      name: name!,
      isTable: type === "BASE TABLE",
    }));
  }
}

/** Roles name tables without regard to case: where two differ by it alone, there is no saying which is meant. */
const isAmbiguous = (table: KnownTable, known: readonly KnownTable[]): boolean =>
  known.some(
    (other) => other !== table && fold(other.name) === fold(table.name) && fold(other.schema) === fold(table.schema),
  );
