// A database without the way to it: D1 is SQLite in a Durable Object, and here whoever asks is in that object itself.
// So a test can ask it a hundred thousand times.

import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";

type Value = SqlStorageValue | boolean;

/** Runs `work` beside an empty database that has the Worker's tables. */
export const withNearDatabase = (work: (database: D1Database) => Promise<void>): Promise<void> =>
  runInDurableObject(env.LOGS.getByName(crypto.randomUUID()), async (_, { storage }) => {
    // The object's own tables are in nobody's way here, but for their names.
    const own = storage.sql.exec(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    );
    for (const { name } of own.toArray()) storage.sql.exec(`DROP TABLE "${name}"`);
    for (const { queries } of env.TEST_MIGRATIONS) for (const query of queries) storage.sql.exec(query);
    await work(new NearDatabase(storage) as unknown as D1Database);
  });

/** What the Worker and the tests ask of a `D1Database`. */
class NearDatabase {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  prepare = (sql: string) => new Statement(this.#storage.sql, sql, []);

  async batch(statements: Statement[]) {
    return this.#storage.transactionSync(() => statements.map((statement) => statement.ask()));
  }
}

class Statement {
  readonly #sql: SqlStorage;
  readonly #text: string;
  readonly #values: Value[];

  constructor(sql: SqlStorage, text: string, values: Value[]) {
    this.#sql = sql;
    this.#text = text;
    this.#values = values;
  }

  bind = (...values: Value[]) => new Statement(this.#sql, this.#text, values);
  ask = () => ({ success: true, meta: {}, results: this.#cursor().toArray() });
  all = async () => this.ask();
  run = async () => this.ask();
  raw = async () => [...this.#cursor().raw()];

  #cursor() {
    const values = this.#values.map((value) => (typeof value === "boolean" ? Number(value) : value));
    return this.#sql.exec(this.#text, ...values);
  }
}
