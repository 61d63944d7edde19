// The gate: which statements run at all. It reads DuckDB's own syntax tree, before anything is bound or planned.

import "../../duckdb/text-decoder.ts";
import { DuckDBInstance, type DuckDBConnection, type DuckDBPreparedStatement } from "@duckdb/node-api";
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../../core/failure.ts";
import { foldName } from "../../duckdb/names.ts";
import type { BoundValue } from "../../../../kernel/semantic/query.ts";
import type { Analysis } from "./analysis.ts";
import { treeWithVariables, withVariables, type Bound } from "./bound-values.ts";
import { unsteadyNames } from "./gate-functions.ts";
import type { MovedTable } from "./moved-tables.ts";
import { findOtherDialect } from "./hints/other-dialects.ts";
import { plainPlaces } from "./outline.ts";
import { LakeText, SQL_CHARACTERS_MAX, TOKENS_MAX } from "./sql-text.ts";
import { StatementWalk, type KnownNames, type WalkOptions } from "./statement-walk.ts";
import { positionIn, refuse, withoutPositions } from "./syntax-tree.ts";
import { applyTimeTravel, resolveTimeTravel, type TimeTravelTable } from "./time-travel.ts";

/** Tokens that are allowed in addition for each bound value: `CAST(? AS DECIMAL(38, 30)),`. */
const TOKENS_OF_A_VALUE = 12;
/** A literal in a literal costs DuckDB far more than its depth: seconds for a few hundred. */
const NESTING_MAX = 100;

/** A statement as the caller wrote it, its syntax tree, and what the walk over that has found. */
type WalkedStatement = { body: LakeText; tree: unknown; walk: StatementWalk; travelled?: readonly TimeTravelTable[] };

/** An analysis whose statement is still read as tokens. */
type Analysed = Omit<Analysis, "body"> & { body: LakeText };

/** `moved`: see {@link MovedTable}. `values`: the bound values; absent where the statement may have no parameters. */
export type AnalysisOptions = {
  moved?: readonly MovedTable[];
  values?: readonly BoundValue[] | undefined;
  /** See {@link Bound}. */
  isNumbered?: boolean | undefined;
};

export class Gate {
  readonly #connection: DuckDBConnection;
  /** Kept prepared, as preparing takes longer than running it. */
  readonly #serialise: DuckDBPreparedStatement;
  readonly #known: KnownNames;

  private constructor(connection: DuckDBConnection, serialise: DuckDBPreparedStatement, known: KnownNames) {
    this.#connection = connection;
    this.#serialise = serialise;
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
    const rows = async (sql: string): Promise<unknown[][]> => (await connection.runAndReadAll(sql)).getRows();
    // The names are read once for both uses: DuckDB makes the list of its functions anew for each statement that reads
    // it.
    const names = (
      await rows(
        `SELECT function_name, bool_or(function_type = 'scalar' AND stability IS DISTINCT FROM 'CONSISTENT'),
          string_agg(macro_definition, ' ; ') FILTER (function_type = 'macro')
        FROM duckdb_functions() GROUP BY ALL`,
      )
    ).map(([name, isUnsteady, definitions]) => ({
      name: foldName(String(name)),
      isUnsteady: isUnsteady === true,
      definitions: definitions === null ? [] : [String(definitions)],
    }));
    const builtins = (await rows("SELECT view_name FROM duckdb_views() WHERE internal")).map(([name]) =>
      foldName(String(name)),
    );
    const serialise = await connection.prepare(
      "SELECT json_serialize_sql($1::VARCHAR, skip_null := true, skip_empty := true, skip_default := true)",
    );
    return new Gate(connection, serialise, { unsteady: unsteadyNames(names), builtins: new Set(builtins) });
  }

  /** Rejects with `statement_refused`, or `sql_error` where the text is no SQL. */
  async analyse(sql: string, { moved = [], values, isNumbered = false }: AnalysisOptions = {}): Promise<Analysis> {
    const { body, ...analysis } = await this.#analyse(sql, { moved, values: values?.length });
    return { ...analysis, body: values === undefined ? body.sql : await this.#bound(body, { values, isNumbered }) };
  }

  async #analyse(sql: string, options: WalkOptions): Promise<Analysed> {
    if (sql.length > SQL_CHARACTERS_MAX) refuse(`A statement may have ${SQL_CHARACTERS_MAX} characters.`);
    const tokensMax = TOKENS_MAX + TOKENS_OF_A_VALUE * (options.values ?? 0);
    const sent =
      LakeText.read(sql, tokensMax) ??
      refuse(`The statement is too long: it may have ${tokensMax} words, numbers and signs.`);
    if (sent.tokens.length === 0) refuse("The statement is empty.");
    // Without a comment at its end, so that it can stand in parentheses.
    const text = sent.trimmed;
    if (text.nestsBeyond(NESTING_MAX))
      refuse(`The statement nests too deep: it may have ${NESTING_MAX} levels of parentheses and brackets.`);
    const plan = text.explained;
    const offset = plan?.offset ?? 0;
    const body = listingOf(plan?.body ?? text);

    const tree = await this.#parse(body, offset);
    const walk = new StatementWalk(body.sql, offset, this.#known, options);
    walk.visit(tree, 0);
    if (walk.travellers.length > 0)
      return this.#travelling(walk, tree, { body, offset, explain: plan?.explain }, options);
    const checked = await this.#checked(walk.rewritten(), { body, tree, walk });
    const found = walk.found();
    // Whatever changes the text, or is found by places in it, is looked at each time.
    const isAsWritten = checked.sql === text.sql && options.values === undefined && found.driveFiles.length === 0;
    const plain = isAsWritten ? plainPlaces(tree, body) : [];
    return { ...found, body: checked, offset, explain: plan?.explain, plain };
  }

  /**
   * Returns `rewritten` if it says what the walked statement says, apart from the names that were meant to change. The
   * text is edited by what {@link LakeText} takes for comments and names; where DuckDB's own parser saw something else,
   * SQL that was never walked could run.
   */
  async #checked(rewritten: string, { body, tree, walk, travelled = [] }: WalkedStatement): Promise<LakeText> {
    if (rewritten === body.sql) return body;
    const edited = new LakeText(rewritten);
    const after = await this.#parse(edited, 0).catch(() => undefined);
    if (!isDeepStrictEqual(withoutPositions(after), withoutPositions(walk.meant(tree, travelled)))) {
      refuse("The statement can't be told apart safely here: write names, AT clauses and their comments plainly.");
    }
    return edited;
  }

  /** A statement that has passed the gate, with its parameters bound and nothing else changed. */
  async #bound(body: LakeText, given: Bound): Promise<string> {
    const bound = withVariables(body, given);
    const meant = treeWithVariables(withoutPositions(await this.#parse(body, 0)), given.values);
    const after = await this.#parse(new LakeText(bound), 0).catch(() => undefined);
    if (!isDeepStrictEqual(withoutPositions(after), meant)) refuse("The statement's parameters can't be told apart.");
    return bound;
  }

  /** The columns of tables that moved to another catalog are found by a second walk. */
  async #travelling(
    walk: StatementWalk,
    tree: unknown,
    { body, offset, explain }: Pick<Analysed, "body" | "offset" | "explain">,
    options: WalkOptions,
  ): Promise<Analysed> {
    if (walk.readsMetadata)
      refuse("A statement that reads earlier snapshots, by AT, can't ask which tables there are as well.");
    const travelled = await resolveTimeTravel(this.#connection, { body: body.sql, offset }, walk.travellers);
    const gone = travelled.flatMap(({ table: { schema, name }, aliased }) =>
      aliased ? [] : [{ schema, name, parts: 2 as const }],
    );
    const again = new StatementWalk(body.sql, offset, this.#known, { ...options, moved: [...options.moved, ...gone] });
    again.visit(tree, 0);
    const found = again.found();
    // Both edits keep every other character at its offset, so that one can follow the other.
    const rewritten = await this.#checked(applyTimeTravel(again.rewritten(), travelled), {
      body,
      tree,
      walk: again,
      travelled,
    });
    return {
      ...found,
      tables: [...found.tables, ...travelled.map(({ table }) => table)],
      body: rewritten,
      offset,
      explain,
      plain: [],
    };
  }

  async #parse(body: LakeText, offset: number): Promise<unknown> {
    this.#serialise.bindVarchar(1, body.sql);
    const reader = await this.#serialise.runAndReadAll();
    const tree = JSON.parse(String(reader.getRows()[0]![0])) as {
      error?: boolean;
      error_type?: string;
      error_message?: string;
      position?: string;
      statements?: unknown[];
    };
    if (tree.error && tree.error_type === "parser") {
      const position = tree.position === undefined ? undefined : positionIn(body.sql, Number(tree.position), offset);
      const known = findOtherDialect(body);
      if (known) throw new Failure("sql_error", known.message, { position: offset + known.at + 1 });
      throw new Failure("sql_error", `Parser Error: ${tree.error_message ?? "the statement is not SQL"}`, { position });
    }
    if (tree.error) refuse(reasonToRefuse(body));
    if (tree.statements?.length !== 1) refuse("Send one statement at a time.");
    return tree.statements;
  }
}

/**
 * DuckDB's own `SHOW TABLES` lists the tables of `main` alone. These texts list everything that the caller may
 * read, for the locked database holds nothing else.
 */
const LISTINGS = new Map([
  ["show tables", "SELECT schema, name FROM (SHOW ALL TABLES) ORDER BY schema, name"],
  ["show schemas", "SELECT schema_name AS name FROM information_schema.schemata ORDER BY name"],
]);

/** The statement that replaces `body` where it asks for a listing; else `body` itself. */
function listingOf(body: LakeText): LakeText {
  if (!/^show\b/i.test(body.sql)) return body;
  const words = body.tokens.slice(0, 3).map((token) => token.text.toLowerCase());
  const listing = LISTINGS.get(words.join(" "));
  return listing === undefined ? body : new LakeText(listing);
}

const ONLY =
  "Of statements that read, SELECT, VALUES, DESCRIBE, SUMMARIZE, SHOW TABLES, SHOW SCHEMAS and EXPLAIN of these can be run on the " +
  "lake; of those that write, INSERT, UPDATE, DELETE, MERGE, TRUNCATE, and CREATE, ALTER and DROP of tables and " +
  "schemas, and COMMENT ON TABLE and COLUMN.";
const READ_ONLY = "This statement changes the lake, and can't be part of another or be explained.";
const REFUSALS = new Map([
  ...["insert", "update", "delete", "merge", "create", "drop", "alter", "truncate"].map(
    (verb) => [verb, READ_ONLY] as const,
  ),
]);
const PIVOT = "PIVOT can be used where its values are listed: SELECT * FROM (…) PIVOT (… FOR … IN (…)).";

/** Why a text that does not only read is refused. DuckDB makes several statements of a PIVOT without its values. */
function reasonToRefuse(body: LakeText): string {
  const words = body.tokens.map((token) => token.text.toLowerCase());
  return REFUSALS.get(words[0] ?? "") ?? (words.includes("pivot") ? PIVOT : ONLY);
}
