// The gate: which statements run at all. It reads DuckDB's own syntax tree, before anything is bound or planned.

import { foldName } from "../../duckdb/names.ts";
import "../../duckdb/text-decoder.ts";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../../core/failure.ts";
import { callReferences, isFileFunction, isUri, tableReference, type DriveReference } from "./drive-references.ts";
import { isRefusedFunction, METADATA_VIEWS, SPECIAL_FUNCTIONS, TABLE_FUNCTIONS } from "./gate-functions.ts";
import { DEFAULT_SCHEMA } from "./catalogs.ts";
import { applyEdit, editOf, type Edit, type MovedTable } from "./moved-tables.ts";
import type { Analysis, TableRef } from "../process/messages.ts";
import { catalogAt } from "./catalogs.ts";
import { countTokens, explained, nestsBeyond, trimmed } from "./sql-text.ts";
import { BACKTICKS, findOtherDialect } from "./other-dialects.ts";
import { applyTimeTravel, resolveTimeTravel, type TimeTravelTable, type TimeTravelRef } from "./time-travel.ts";

export const SQL_CHARACTERS_MAX = 1_000_000;
/** Bounds the cost of parsing. */
export const TOKENS_MAX = 50_000;
/**
 * Bound the cost of planning, which grows faster than the statement: ten thousand nodes plan in well under a second.
 */
const NODES_MAX = 20_000;
const DEPTH_MAX = 250;
/** A literal in a literal costs DuckDB far more than its depth: seconds for a few hundred. */
const NESTING_MAX = 100;
/** DuckDB writes this where a node has no place in the text. */
const NOWHERE = 2 ** 53;
/** A name that no replacement scan can take for a file. */
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_ $-]*$/u;

const refuse = (message: string, position?: number): never => {
  throw new Failure("statement_refused", message, { position });
};

type Node = { [key: string]: unknown };

type Known = {
  functions: Set<string>;
  /** Whose value is another in the next statement, or whose definition is not told. */
  unsteady: Set<string>;
  /** Relations every DuckDB instance holds; a common table expression may not hide one. */
  builtins: Set<string>;
};

const CLOCK_WORDS = ["current_time", "current_timestamp", "localtime", "localtimestamp"];

export class Gate {
  readonly #connection: DuckDBConnection;
  readonly #known: Known;

  private constructor(connection: DuckDBConnection, known: Known) {
    this.#connection = connection;
    this.#known = known;
  }

  /** A gate on a bare instance of its own, which never holds data. */
  static async open(): Promise<Gate> {
    const instance = await DuckDBInstance.create(":memory:", {
      threads: "1",
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
    });
    const connection = await instance.connect();
    for (const sql of ["SET TimeZone = 'UTC'", "SET enable_external_access = false"]) await connection.run(sql);
    const names = async (sql: string): Promise<string[]> =>
      (await connection.runAndReadAll(sql)).getRows().map(([name]) => foldName(String(name)));
    const known = await names(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'macro')",
    );
    const builtins = await names("SELECT view_name FROM duckdb_views() WHERE internal");
    const unsteady = await names(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type <> 'aggregate' AND stability IS DISTINCT FROM 'CONSISTENT'",
    );
    const functions = new Set([...known.filter((name) => !isRefusedFunction(name)), ...SPECIAL_FUNCTIONS]);
    return new Gate(connection, {
      functions,
      unsteady: new Set([...unsteady, ...CLOCK_WORDS]),
      builtins: new Set(builtins),
    });
  }

  /** Rejects with `statement_refused`, or `sql_error` where the text is no SQL. */
  async analyse(sql: string, moved: readonly MovedTable[] = []): Promise<Analysis> {
    if (sql.length > SQL_CHARACTERS_MAX) refuse(`A statement may have ${SQL_CHARACTERS_MAX} characters.`);
    if (countTokens(sql, TOKENS_MAX) > TOKENS_MAX)
      refuse(`The statement is too long: it may have ${TOKENS_MAX} words, numbers and signs.`);
    const text = trimmed(sql);
    if (text === "") refuse("The statement is empty.");
    if (nestsBeyond(text, NESTING_MAX))
      refuse(`The statement nests too deep: it may have ${NESTING_MAX} levels of parentheses and brackets.`);
    const plan = explained(text);
    const offset = plan?.offset ?? 0;
    const body = plan?.body ?? text;

    const tree = await this.#parse(body, offset);
    const walk = new Walk(body, offset, this.#known, moved);
    walk.visit(tree, 0);
    if (walk.travellers.length > 0)
      return this.#travelling(walk, tree, { body, offset, explain: plan?.explain }, moved);
    return {
      ...walk.found(),
      body: await this.#checked(walk.rewritten(), body, tree, walk),
      offset,
      explain: plan?.explain,
    };
  }

  /**
   * `rewritten` where it says what the walked statement says but for the names that were meant to change. The text is
   * edited by what {@link tokensOf} takes for comments and names; where DuckDB's own parser would see something else,
   * what was never walked could run.
   */
  async #checked(
    rewritten: string,
    body: string,
    tree: unknown,
    walk: Walk,
    travelled: readonly TimeTravelTable[] = [],
  ): Promise<string> {
    if (rewritten === body) return body;
    const after = await this.#parse(rewritten, 0).catch(() => undefined);
    if (!isDeepStrictEqual(withoutPlaces(after), withoutPlaces(walk.meant(tree, travelled)))) {
      refuse("The statement can't be told apart safely here: write names, AT clauses and their comments plainly.");
    }
    return rewritten;
  }

  /** The columns of tables that moved to another catalog are found by a second walk. */
  async #travelling(
    walk: Walk,
    tree: unknown,
    { body, offset, explain }: Pick<Analysis, "body" | "offset" | "explain">,
    moved: readonly MovedTable[],
  ): Promise<Analysis> {
    if (walk.readsMetadata)
      refuse("A statement that reads earlier snapshots, by AT, can't ask which tables there are as well.");
    const travelled = await resolveTimeTravel(this.#connection, body, walk.travellers);
    const gone = travelled.flatMap(({ table: { schema, name }, aliased }) =>
      aliased ? [] : [{ schema, name, parts: 2 as const }],
    );
    const again = new Walk(body, offset, this.#known, [...moved, ...gone]);
    again.visit(tree, 0);
    const found = again.found();
    // Both leave every other place where it is, so that one can follow the other.
    const rewritten = await this.#checked(applyTimeTravel(again.rewritten(), travelled), body, tree, again, travelled);
    return {
      ...found,
      tables: [...found.tables, ...travelled.map(({ table }) => table)],
      body: rewritten,
      offset,
      explain,
    };
  }

  async #parse(body: string, offset: number): Promise<unknown> {
    const reader = await this.#connection.runAndReadAll(
      "SELECT json_serialize_sql($1::VARCHAR, skip_null := true, skip_empty := true, skip_default := true)",
      [body],
    );
    const tree = JSON.parse(String(reader.getRows()[0]![0])) as {
      error?: boolean;
      error_type?: string;
      error_message?: string;
      position?: string;
      statements?: unknown[];
    };
    if (tree.error && tree.error_type === "parser") {
      const position = tree.position === undefined ? undefined : positionIn(body, Number(tree.position), offset);
      const known = findOtherDialect(body);
      if (known) throw new Failure("sql_error", known.message, { position: offset + known.at + 1 });
      throw new Failure("sql_error", `Parser Error: ${tree.error_message ?? "the statement is not SQL"}`, { position });
    }
    if (tree.error) refuse(REFUSALS.get(/^\w+/.exec(body)?.[0].toLowerCase() ?? "") ?? ONLY);
    if (tree.statements?.length !== 1) refuse("Send one statement at a time.");
    return tree.statements;
  }
}

const ONLY =
  "Of statements that read, SELECT, VALUES, DESCRIBE, SUMMARIZE, SHOW TABLES and EXPLAIN of these can be run on the lake; of those that write, INSERT, UPDATE, DELETE, MERGE, TRUNCATE, and CREATE, ALTER and DROP of tables and schemas.";
const READ_ONLY = "This statement changes the lake, and can't be part of another or be explained.";
const REFUSALS = new Map([
  ...["insert", "update", "delete", "merge", "create", "drop", "alter", "truncate"].map(
    (verb) => [verb, READ_ONLY] as const,
  ),
  ["pivot", "Write PIVOT within a SELECT: SELECT * FROM (…) PIVOT (… FOR … IN (…))."],
]);

/** From DuckDB's 0-based byte offset within `body` to a 1-based character of the whole text. */
function positionIn(body: string, bytes: number, offset: number): number | undefined {
  if (!(bytes < NOWHERE)) return undefined;
  return offset + Buffer.from(body).subarray(0, bytes).toString().length + 1;
}

function travelledNode({ at_clause: _, ...node }: Node, { table }: TimeTravelTable): Node {
  return { ...node, catalog_name: catalogAt(table.at!), schema_name: table.schema };
}

/** A column with fewer names before it, or a table of information_schema without its catalog. */
function editedNode(node: Node, { namesDropped, toSchema }: Edit): Node {
  if (node.class === "COLUMN_REF") {
    const names = node.column_names as string[];
    return { ...node, column_names: toSchema ? [DEFAULT_SCHEMA, ...names.slice(1)] : names.slice(namesDropped) };
  }
  const { catalog_name: _, ...rest } = node;
  return node.type === "BASE_TABLE" ? rest : node;
}

/** Edits leave places where they are in characters, and not always in bytes. */
const withoutPlaces = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutPlaces);
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, child]) => (key === "query_location" ? [] : [[key, withoutPlaces(child)]])),
  );
};

class Walk {
  readsMetadata = false;
  /** By place: the parser repeats a part of the statement here and there. */
  readonly driveFiles = new Map<number, DriveReference>();
  /** The tables it names as of earlier snapshots. */
  readonly travellers: TimeTravelRef[] = [];
  isSteady = true;
  readonly #body: string;
  readonly #offset: number;
  readonly #known: Known;
  readonly #ctes = new Set<string>();
  readonly #named: TableRef[] = [];
  readonly #moved: readonly MovedTable[];
  readonly #edits = new Map<number, Edit>();
  #nodes = 0;

  constructor(body: string, offset: number, known: Known, moved: readonly MovedTable[]) {
    this.#body = body;
    this.#offset = offset;
    this.#known = known;
    this.#moved = moved;
  }

  found(): Pick<Analysis, "tables" | "readsMetadata" | "driveFiles" | "isSteady"> {
    return {
      tables: this.tables(),
      readsMetadata: this.readsMetadata,
      driveFiles: [...this.driveFiles.values()],
      isSteady: this.isSteady,
    };
  }

  /**
   * Every relation that is not a common table expression somewhere in the statement; the jail holds no others anyway.
   */
  tables(): TableRef[] {
    return this.#named.filter(
      ({ catalog, schema, name }) => catalog !== "" || schema !== "" || !this.#ctes.has(foldName(name)),
    );
  }

  /**
   * DuckDB knows information_schema without a catalog only, and columns of moved tables by fewer names: those before
   * are blanked, every place staying where it is.
   */
  rewritten(): string {
    return [...this.#edits].reduce((text, [at, edit]) => applyEdit(text, at, edit), this.#body);
  }

  /** The tree that {@link rewritten}, with `travelled` put in it, has to have; places aside. */
  meant(node: unknown, travelled: readonly TimeTravelTable[]): unknown {
    if (Array.isArray(node)) return node.map((child) => this.meant(child, travelled));
    if (typeof node !== "object" || node === null) return node;
    const { query_location: bytes, ...known } = node as Node;
    const edit = this.#edits.get(this.#text.placeOf({ query_location: bytes }) ?? -1);
    const at = this.travellers.findIndex((traveller) => traveller.node === node);
    const changed = at >= 0 ? travelledNode(known, travelled[at]!) : edit ? editedNode(known, edit) : known;
    return Object.fromEntries(Object.entries(changed).map(([key, child]) => [key, this.meant(child, travelled)]));
  }

  visit(node: unknown, depth: number): void {
    if (typeof node !== "object" || node === null) return;
    if (depth > DEPTH_MAX)
      refuse(
        `The statement nests too deep: an expression may have ${DEPTH_MAX} levels, of which each sign between two values is one.`,
      );
    if (Array.isArray(node)) return node.forEach((child) => this.visit(child, depth));
    if (++this.#nodes > NODES_MAX)
      refuse(
        `The statement is too complex: it may have ${NODES_MAX} parts. Write long lists as rows of VALUES, or as a file of the drive.`,
      );
    const known = node as Node;
    this.#check(known);
    if (known.class === "CONSTANT") return;
    for (const [key, child] of Object.entries(known)) {
      if (key === "function" && known.type === "TABLE_FUNCTION")
        for (const part of Object.values(child as Node)) this.visit(part, depth + 1);
      else this.visit(child, depth + 1);
    }
  }

  #check(node: Node): void {
    const at =
      typeof node.query_location === "number" ? positionIn(this.#body, node.query_location, this.#offset) : undefined;
    if (Array.isArray((node.cte_map as Node | undefined)?.map))
      for (const { key } of (node.cte_map as { map: Array<{ key: string }> }).map) this.#addCte(key);
    if (typeof node.cte_name === "string" && node.cte_name !== "") this.#addCte(node.cte_name);
    if (node.type === "BASE_TABLE") this.#addTable(node, at);
    if (node.type === "TABLE_FUNCTION") {
      const name = foldName(String((node.function as Node | undefined)?.function_name));
      if (isFileFunction(name)) this.#addDriveFiles(callReferences(name, node.function as Node, this.#text));
      else if (!TABLE_FUNCTIONS.has(name)) refuse(`The table function ${name} can't be used here.`, at);
    }
    if (node.type === "SHOW_REF" && !node.query) this.#addShow(node);
    if (node.class === "PARAMETER") refuse("Parameters can't be used here: write the values into the statement.", at);
    // DuckDB reads some of these words as functions, where there is no column of the name.
    if (
      node.class === "COLUMN_REF" &&
      this.#known.unsteady.has(foldName(String((node.column_names as unknown[] | undefined)?.at(-1))))
    )
      this.isSteady = false;
    const edit =
      node.class === "COLUMN_REF" && at !== undefined
        ? editOf((node.column_names ?? []) as string[], this.#moved)
        : undefined;
    if (edit) this.#edits.set(at! - 1 - this.#offset, edit);
    if (node.class === "FUNCTION" || node.class === "WINDOW") {
      const name = foldName(String(node.function_name ?? ""));
      if (this.#known.unsteady.has(name)) this.isSteady = false;
      if (name.includes("`")) refuse(BACKTICKS, this.#offset + (findOtherDialect(this.#body)?.at ?? 0) + 1);
      if (name !== "" && !this.#known.functions.has(name))
        refuse(`The function ${name} does not exist or can't be used here.`, at);
    }
  }

  /** The statement's text, as the search for paths needs it. */
  get #text() {
    const body = this.#body;
    const offset = this.#offset;
    const placeOf = ({ query_location: bytes }: Node): number | undefined =>
      typeof bytes === "number" ? positionIn(body, bytes, -1) : undefined;
    return { body, offset, placeOf };
  }

  #addDriveFiles(references: DriveReference[]): void {
    for (const reference of references) this.driveFiles.set(reference.at, reference);
  }

  #addCte(name: string): void {
    if (!PLAIN_NAME.test(name) || this.#known.builtins.has(foldName(name)))
      refuse(`A common table expression can't be named ${JSON.stringify(name)}.`);
    this.#ctes.add(foldName(name));
  }

  #addTable(node: Node, position: number | undefined): void {
    const [catalog, schema, name] = [node.catalog_name, node.schema_name, node.table_name].map((part) =>
      String(part ?? ""),
    ) as [string, string, string];
    if (node.at_clause) {
      if (position === undefined) refuse("AT can't be used here.");
      else this.travellers.push({ node, at: position - 1 - this.#offset });
      return;
    }
    if (catalog === "" && schema === "" && isUri(name)) this.#addDriveFiles([tableReference(name, node, this.#text)]);
    else if (foldName(schema) !== "information_schema") this.#named.push({ catalog, schema, name, position });
    else if (METADATA_VIEWS.has(foldName(name)) && ["", "lake"].includes(foldName(catalog))) {
      this.readsMetadata = true;
      if (catalog !== "" && position !== undefined)
        this.#edits.set(position - 1 - this.#offset, { namesDropped: 1, toSchema: false });
    } else refuse(`information_schema.${name} can't be read here; tables, columns and schemata can.`, position);
  }

  #addShow(node: Node): void {
    const shown = String(node.table_name ?? "").replaceAll('"', "");
    if (shown !== "tables" && shown !== "__show_tables_expanded" && node.show_type !== "SHOW_FROM")
      refuse("Of SHOW only SHOW TABLES, SHOW ALL TABLES and SHOW TABLES FROM can be run here.");
    this.readsMetadata = true;
  }
}
