// `FROM t AT (VERSION => n)` and `AT (TIMESTAMP => …)`: such tables are in a catalog of their snapshot, whose name is
// put into the statement, so that one statement can read several snapshots of one table. All else stays as it was
// written.

import type { DuckDBConnection } from "@duckdb/node-api";
import { Failure } from "../../core/failure.ts";
import { fromDuckdb } from "../../duckdb/errors.ts";
import { CATALOG, DEFAULT_SCHEMA } from "./catalogs.ts";
import { foldName } from "../../duckdb/names.ts";
import { quoteIdentifier } from "../../duckdb/quoting.ts";
import { blank, GAP, NAME, PART_SOURCE } from "./moved-tables.ts";
import type { Analysis, TableRef, TimeTravel } from "./analysis.ts";
import { catalogAt } from "./catalogs.ts";
import { tokensOf } from "./sql-text.ts";

type Node = { [key: string]: unknown };

/** Each snapshot is planned by itself. */
const SNAPSHOTS_MAX = 20;
/** Parts of a constant instant: literals, casts, sums and differences, and the words for now. */
const CLASSES = new Set(["CONSTANT", "CAST", "FUNCTION", "COLUMN_REF"]);
const FUNCTIONS = new Set([
  ...[
    "+",
    "-",
    "*",
    "trunc",
    "date_trunc",
    "now",
    "get_current_timestamp",
    "transaction_timestamp",
    "today",
    "current_date",
  ],
  ...["years", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds", "microseconds"].map(
    (unit) => `to_${unit}`,
  ),
]);
const NOW_WORDS = new Set(["current_timestamp", "current_date", "localtimestamp"]);

const refuse = (message: string): never => {
  throw new Failure("statement_refused", message);
};

export type TimeTravelRef = {
  /** The table's node in the syntax tree. */
  node: Node;
  /** The offset of the table's name in the body, from 0. */
  at: number;
};

/**
 * A table as of a snapshot, with the edits of its name; an `aliased` table's columns can't be qualified by its own
 * name.
 */
export type TimeTravelTable = { table: TableRef & { travel: TimeTravel }; edits: Replacement[]; aliased: boolean };

/** A text that replaces another of at least its length. */
type Replacement = { at: number; length: number; text: string };

/** Where each of `travellers` is to be found: in a catalog of its snapshot, instead of by an AT clause. */
export async function resolveTimeTravel(
  connection: DuckDBConnection,
  { body, offset }: Pick<Analysis, "body" | "offset">,
  travellers: readonly TimeTravelRef[],
): Promise<TimeTravelTable[]> {
  const labels = new Set<string>();
  const all: TimeTravelTable[] = [];
  for (const { node, at } of travellers) {
    const label = await labelOf(connection, node.at_clause as Node);
    if (labels.add(label).size > SNAPSHOTS_MAX) refuse(`A statement may read ${SNAPSHOTS_MAX} snapshots.`);
    const [catalog, schema, name] = [node.catalog_name, node.schema_name, node.table_name].map((part) =>
      String(part ?? ""),
    ) as [string, string, string];
    // `LAKE.t` is a table of the schema main.
    const isShort = catalog === "" && (schema === "" || foldName(schema) === CATALOG);
    const parts = [catalog, schema, name].filter((part) => part !== "").length;
    const { clauseAt, edits } = editsOf(body, { at, parts, isShort, catalog: catalogAt(label) });
    const table = {
      catalog: catalog || "LAKE",
      schema: isShort ? DEFAULT_SCHEMA : schema,
      name,
      position: offset + at + 1,
      travel: { at: label, position: offset + clauseAt + 1 },
    };
    all.push({ table, edits, aliased: typeof node.alias === "string" && node.alias !== "" });
  }
  return all;
}

/** `body` with all of the edits, in its original length. */
export function applyTimeTravel(body: string, travelled: readonly TimeTravelTable[]): string {
  let [text, from] = ["", 0];
  for (const { at, length, text: put } of travelled
    .flatMap(({ edits }) => edits)
    .sort((one, other) => one.at - other.at)) {
    [text, from] = [text + body.slice(from, at) + put, at + length];
  }
  return text + body.slice(from);
}

/** A table's name in the statement: how many parts it is written in, and the catalog it is to be read from. */
type TravellingName = { at: number; parts: number; isShort: boolean; catalog: string };

/**
 * The edits of the name at `at`: the name gets the catalog, and the AT clause behind it gives up as many characters.
 */
function editsOf(
  body: string,
  { at, parts, isShort, catalog }: TravellingName,
): { clauseAt: number; edits: Replacement[] } {
  const name = new RegExp(`(?:${PART_SOURCE}){${parts - 1}}${NAME}`, "uy");
  name.lastIndex = at;
  const written = name.exec(body)?.[0];
  const clause = written === undefined ? undefined : clauseAfter(body, at + written.length);
  if (written === undefined || !clause)
    return refuse("AT (VERSION => …) and AT (TIMESTAMP => …) come after a table's name.");
  const own = isShort ? `${DEFAULT_SCHEMA}.${partsOf(written).at(-1)}` : partsOf(written).slice(-2).join(".");
  const moved = `${quoteIdentifier(catalog)}.${own}`;
  const grown = moved.length - written.length;
  const rest = blank(body.slice(clause.at, clause.at + clause.length));
  if (grown > rest.length) return refuse("AT (TIMESTAMP => …) takes an instant such as '2026-01-31 10:00:00'.");
  const shrunk = grown < 0 ? " ".repeat(-grown) : "";
  const named = { at, length: written.length, text: moved + shrunk };
  return { clauseAt: clause.at, edits: [named, { ...clause, text: grown > 0 ? rest.slice(grown) : rest }] };
}

const partsOf = (written: string): string[] => written.match(new RegExp(`${NAME}(?=${GAP}(?:\\.|$))`, "gu")) ?? [];

/** The next AT clause, with its parentheses. */
function clauseAfter(body: string, from: number): { at: number; length: number } | undefined {
  const tokens = Array.from(tokensOf(body.slice(from)), ({ at, end, text }) => ({
    at: from + at,
    end: from + end,
    word: text.toLowerCase(),
  }));
  const first = tokens.findIndex(
    ({ word }, i) =>
      word === "at" && tokens[i + 1]?.word === "(" && /^(?:version|timestamp)$/.test(tokens[i + 2]?.word ?? ""),
  );
  if (first < 0) return undefined;
  let open = 0;
  for (const { end, word } of tokens.slice(first + 1)) {
    open += word === "(" ? 1 : word === ")" ? -1 : 0;
    if (open === 0) return { at: tokens[first]!.at, length: end - tokens[first]!.at };
  }
  return undefined;
}

async function serialise(connection: DuckDBConnection, sql: string): Promise<Node> {
  const reader = await connection.runAndReadAll("SELECT json_serialize_sql($1::VARCHAR)", [sql]);
  return JSON.parse(String(reader.getRows()[0]![0])) as Node;
}

async function labelOf(connection: DuckDBConnection, { unit, expr }: Node): Promise<string> {
  if (String(unit).toUpperCase() === "VERSION") {
    const { value } = ((expr as Node).value ?? {}) as Node;
    return (expr as Node).class === "CONSTANT" && Number.isSafeInteger(value) && Number(value) >= 0
      ? String(value)
      : refuse("AT (VERSION => …) takes the number of a snapshot.");
  }
  if (String(unit).toUpperCase() !== "TIMESTAMP")
    refuse("AT takes VERSION => a snapshot's number or TIMESTAMP => an instant.");
  if (!isConstant(expr))
    refuse("AT (TIMESTAMP => …) takes a constant instant, such as '2026-01-31 10:00:00' or now() - INTERVAL 1 DAY.");
  const instant = await instantOf(connection, expr);
  return Number.isFinite(instant)
    ? new Date(instant).toISOString()
    : refuse("AT (TIMESTAMP => …) takes an instant between the years 0 and 9999.");
}

function isConstant(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return true;
  const { class: kind, function_name: name, column_names: words } = node as Node;
  if (typeof kind === "string" && !CLASSES.has(kind)) return false;
  if (kind === "FUNCTION" && !FUNCTIONS.has(String(name))) return false;
  if (
    kind === "COLUMN_REF" &&
    !(Array.isArray(words) && words.length === 1 && NOW_WORDS.has(foldName(String(words[0]))))
  )
    return false;
  return Object.values(node).every(isConstant);
}

/** DuckDB writes the position of a node without one as a number that no double holds. */
const withoutPositions = (key: string, value: unknown): unknown => (key === "query_location" ? undefined : value);

/** The instant in Unix milliseconds; NaN where the expression is none. A time without a zone is in UTC. */
async function instantOf(connection: DuckDBConnection, expression: unknown): Promise<number> {
  const tree = await serialise(connection, "SELECT epoch_ms(CAST(CAST(NULL AS INTEGER) AS TIMESTAMP WITH TIME ZONE))");
  const [call] = ((tree.statements as Node[])[0]!.node as Node).select_list as Node[];
  ((call!.children as Node[])[0]! as Node).child = expression;
  try {
    const written = await connection.runAndReadAll("SELECT json_deserialize_sql($1::JSON)", [
      JSON.stringify(tree, withoutPositions),
    ]);
    const reader = await connection.runAndReadAll(String(written.getRows()[0]![0]));
    return Number(reader.getRows()[0]![0] ?? Number.NaN);
  } catch (error) {
    throw fromDuckdb(error, "", 0);
  }
}
