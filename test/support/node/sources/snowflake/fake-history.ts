// The fake keeps a copy of each table after every statement that changed it, for time travel and CHANGES.

import type { DuckDBConnection } from "@duckdb/node-api";

const NAME = `(?:"(?:[^"]|"")+"|[A-Za-z_][\\w$]*)`;
const WRITTEN = new RegExp(
  `^\\s*(INSERT\\s+INTO|UPDATE|DELETE\\s+FROM|TRUNCATE\\s+TABLE|CREATE\\s+(?:OR\\s+REPLACE\\s+)?TABLE|ALTER\\s+TABLE|` +
    `DROP\\s+TABLE)\\s+((?:${NAME}\\.)*${NAME})`,
  "i",
);
const CONSTANT = `'([\\dT:.-]+)\\+00:00'::TIMESTAMP_TZ`;
const INSTANT = `(?:${CONSTANT}|DATEADD\\('second', (-\\d+), ${CONSTANT}\\))`;
/** Time travel as the engine writes it: a table by all of its names, and constants. */
const TRAVEL = new RegExp(
  `"DB"\\.("(?:[^"]|"")+"\\."(?:[^"]|"")+")( CHANGES\\(INFORMATION => DEFAULT\\))? ` +
    `AT\\(TIMESTAMP => ${INSTANT}\\)(?: END\\(TIMESTAMP => ${INSTANT}\\))?`,
  "g",
);
const NOW = "strftime(CAST(now() AS TIMESTAMP), '%Y-%m-%dT%H:%M:%S.%f')";

/** A table's copies, in the order of time; `at` is text in UTC. */
type Past = { versions: { at: string; copy: string }[]; trackedSince: string | undefined; isKept: boolean };

export class FakeHistory {
  readonly #root: DuckDBConnection;
  readonly #tables = new Map<string, Past>();
  #copies = 0;

  private constructor(root: DuckDBConnection) {
    this.#root = root;
  }

  static async create(root: DuckDBConnection): Promise<FakeHistory> {
    await root.run("CREATE SCHEMA memory.past");
    await root.run(`CREATE TABLE memory.past.tables
      (schema_name VARCHAR, table_name VARCHAR, created_on VARCHAR, tracked_since VARCHAR, retention_time INTEGER,
       last_ddl VARCHAR)`);
    await root.run(`CREATE TABLE memory.past.keys
      (schema_name VARCHAR, table_name VARCHAR, column_name VARCHAR, key_sequence INTEGER)`);
    return new FakeHistory(root);
  }

  /** To be told of each statement behind it. */
  async note(sql: string): Promise<void> {
    const [, verb, written] = WRITTEN.exec(sql) ?? [];
    if (!verb || !written) return;
    const [schema, name] = partsOf(written);
    const path = quote(schema, name);
    if (/^(CREATE|DROP)/i.test(verb)) {
      this.#tables.delete(path);
      await this.#root.run("DELETE FROM memory.past.tables WHERE schema_name = ? AND table_name = ?", [schema, name]);
    }
    if (/^DROP/i.test(verb)) return;
    if (/^CREATE/i.test(verb))
      await this.#root.run(`INSERT INTO memory.past.tables VALUES (?, ?, ${NOW}, NULL, 1, ${NOW})`, [schema, name]);
    if (/^ALTER/i.test(verb))
      await this.#root.run(`UPDATE memory.past.tables SET last_ddl = ${NOW} WHERE schema_name = ? AND table_name = ?`, [
        schema,
        name,
      ]);
    const past = this.#pastOf(path);
    const copy = `memory.past."copy ${++this.#copies}"`;
    await this.#root.run(`CREATE TABLE ${copy} AS FROM "DB".${path}`);
    past.versions.push({ at: await this.#now(), copy });
  }

  /** From now on it is known which of its rows change. */
  async track(schema: string, name: string): Promise<void> {
    const past = this.#pastOf(quote(schema, name));
    past.trackedSince = await this.#now();
    await this.#root.run("UPDATE memory.past.tables SET tracked_since = ? WHERE schema_name = ? AND table_name = ?", [
      past.trackedSince,
      schema,
      name,
    ]);
  }

  /** What it is now, it has been for years, and its changes were known all the while. */
  age(schema: string, name: string): void {
    const past = this.#pastOf(quote(schema, name));
    const [at, trackedSince] = ["2000-01-02 00:00:00.000000", "2000-01-01 00:00:00.000000"];
    past.versions = past.versions.slice(-1).map((version) => ({ ...version, at }));
    past.trackedSince = trackedSince;
  }

  async untrack(schema: string, name: string): Promise<void> {
    this.#pastOf(quote(schema, name)).trackedSince = undefined;
    await this.#root.run(
      "UPDATE memory.past.tables SET tracked_since = NULL WHERE schema_name = ? AND table_name = ?",
      [schema, name],
    );
  }

  /** From now on nothing of its past is kept for sure. */
  async forget(schema: string, name: string): Promise<void> {
    await this.#root.run("UPDATE memory.past.tables SET retention_time = 0 WHERE schema_name = ? AND table_name = ?", [
      schema,
      name,
    ]);
  }

  /** A key that nothing enforces. */
  async declareKey(schema: string, name: string, columns: readonly string[]): Promise<void> {
    for (const [i, column] of columns.entries())
      await this.#root.run("INSERT INTO memory.past.keys VALUES (?, ?, ?, ?)", [schema, name, column, i + 1]);
  }

  /** What the source has now, as texts. */
  async rows(sql: string): Promise<unknown[][]> {
    return (await this.#root.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM (${sql})`)).getRows();
  }

  /** Forgets what the table was, as when its retention is over; `isKept`: whether it may be read as it was from now. */
  lapse(schema: string, name: string, isKept = true): void {
    const past = this.#pastOf(quote(schema, name));
    past.isKept = isKept;
    past.versions = past.versions.slice(-1);
  }

  /** The statement over copies. Throws where a table has none of that time. */
  travel(sql: string): string {
    return sql.replace(TRAVEL, (...found: (string | undefined)[]) => {
      const [, path = "", changes, plainStart, less, lessStart, end] = found;
      const start = shifted(plainStart ?? lessStart!, less);
      const past = this.#tables.get(path);
      // What came about beside the history has always been as it is.
      if (!past) return `"DB".${path}`;
      const from = versionAt(past, path, start);
      if (!changes) return from;
      if (past.trackedSince === undefined || past.trackedSince > start)
        throw new Error(`Change tracking is not enabled or has been missing for the time range requested on ${path}`);
      const to = versionAt(past, path, shifted(end!, undefined));
      return `(SELECT *, 'INSERT' AS METADATA$ACTION FROM (FROM ${to} EXCEPT ALL FROM ${from})
        UNION ALL SELECT *, 'DELETE' FROM (FROM ${from} EXCEPT ALL FROM ${to}))`;
    });
  }

  #pastOf(path: string): Past {
    const past = this.#tables.get(path) ?? { versions: [], trackedSince: undefined, isKept: true };
    this.#tables.set(path, past);
    return past;
  }

  async #now(): Promise<string> {
    const reader = await this.#root.runAndReadAll(`SELECT ${NOW}`);
    return String(reader.getRows()[0]![0]);
  }
}

/** Text to the microsecond, which is in the order of time. */
function shifted(text: string, seconds: string | undefined): string {
  const [whole, fraction = ""] = text.split(".");
  const moved = new Date(Date.parse(`${whole}Z`) + Number(seconds ?? 0) * 1_000).toISOString().slice(0, 19);
  return `${moved}.${fraction.padEnd(6, "0").slice(0, 6)}`;
}

function versionAt({ versions, isKept }: Past, path: string, at: string): string {
  const found = isKept ? versions.findLast((version) => version.at <= at) : undefined;
  if (found) return found.copy;
  throw new Error(`Time travel data is not available for table ${path}. The requested time is beyond what is kept.`);
}

function partsOf(written: string): [schema: string, name: string] {
  const parts = [...written.matchAll(new RegExp(NAME, "g"))].map(([part]) =>
    part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part.toUpperCase(),
  );
  return [parts.at(-2) ?? "PUBLIC", parts.at(-1)!];
}

const quote = (schema: string, name: string): string =>
  [schema, name].map((part) => `"${part.replaceAll('"', '""')}"`).join(".");
