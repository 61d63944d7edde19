// D1 on Node's own SQLite: as a binding for the app in this process, and as D1's wire for one in workerd.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

type Query = { sql: string; params?: SQLInputValue[] | null };
type Rows = { columns: string[]; rows: unknown[][]; changes: number; lastRowId: number };

/** Runs the queries in one transaction, as a D1 batch does. */
function runQueries(database: DatabaseSync, queries: Query[]): Rows[] {
  database.exec("BEGIN");
  try {
    const results = queries.map((query) => runQuery(database, query));
    database.exec("COMMIT");
    return results;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

function runQuery(database: DatabaseSync, { sql, params }: Query): Rows {
  const statement = database.prepare(sql);
  const columns = statement.columns().map((column) => column.name);
  if (!columns.length) {
    const { changes, lastInsertRowid } = statement.run(...(params ?? []));
    return { columns, rows: [], changes: Number(changes), lastRowId: Number(lastInsertRowid) };
  }
  statement.setReturnArrays(true);
  return { columns, rows: statement.all(...(params ?? [])) as unknown as unknown[][], changes: 0, lastRowId: 0 };
}

const asObjects = ({ columns, rows }: Rows) =>
  rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));

const metaOf = ({ changes, lastRowId }: Rows) => ({
  served_by: "bench",
  duration: 0,
  changes,
  last_row_id: lastRowId,
  changed_db: changes > 0,
  size_after: 0,
  rows_read: 0,
  rows_written: changes,
});

const asResult = (rows: Rows) => ({ success: true, results: asObjects(rows), meta: metaOf(rows) });

class Statement {
  readonly database: DatabaseSync;
  readonly query: Query;

  constructor(database: DatabaseSync, query: Query) {
    this.database = database;
    this.query = query;
  }

  bind = (...params: SQLInputValue[]) => new Statement(this.database, { ...this.query, params });
  all = async () => asResult(runQuery(this.database, this.query));
  run = async () => asResult(runQuery(this.database, this.query));
  raw = async () => runQuery(this.database, this.query).rows;
  first = async () => asObjects(runQuery(this.database, this.query))[0] ?? null;
}

/** What the app calls of a `D1Database`, over the database in `file`. */
export function openD1(file: string) {
  const database = new DatabaseSync(file);
  return {
    prepare: (sql: string) => new Statement(database, { sql }),
    batch: async (statements: Statement[]) =>
      runQueries(
        database,
        statements.map((statement) => statement.query),
      ).map(asResult),
  };
}

/** Serves the database in `file` as a D1 binding's service expects it, on a free port. */
export async function serveD1(file: string): Promise<{ port: number; stop(): void }> {
  const database = new DatabaseSync(file);
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Query | Query[];
    const format = new URL(request.url ?? "/", "http://d1").searchParams.get("resultsFormat");
    response.setHeader("content-type", "application/json");
    try {
      const results = runQueries(database, [body].flat());
      const shape = (rows: Rows) =>
        format === "ROWS_AND_COLUMNS" ? { columns: rows.columns, rows: rows.rows } : asObjects(rows);
      response.end(
        JSON.stringify(results.map((rows) => ({ success: true, results: shape(rows), meta: metaOf(rows) }))),
      );
    } catch (error) {
      response.end(JSON.stringify({ success: false, error: error instanceof Error ? error.message : String(error) }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    stop: () => {
      server.closeAllConnections();
      server.close();
      database.close();
    },
  };
}
