// A Durable Object's SQLite storage over Node's own, so that the catalog's real code runs beside real engines.

import { DatabaseSync, type SQLInputValue } from "node:sqlite";

export function openStorage(): DurableObjectStorage {
  const database = new DatabaseSync(":memory:");
  const exec = <Row>(query: string, ...bindings: unknown[]): SqlStorageCursor<Row> => {
    const values = bindings as SQLInputValue[];
    // Node binds `?1` by its name only.
    const bound: SQLInputValue[] | [Record<string, SQLInputValue>] = /\?\d/.test(query)
      ? [Object.fromEntries(values.map((value, i) => [`?${i + 1}`, value]))]
      : values;
    const statement = database.prepare(query);
    const run = <Result>(): Result[] => (statement as unknown as { all(...all: unknown[]): Result[] }).all(...bound);
    const rows = run<Row>();
    return {
      toArray: () => rows,
      one: () => {
        if (rows.length !== 1) throw new Error(`Expected one row, found ${rows.length}.`);
        return rows[0]!;
      },
      raw: <Values extends SqlStorageValue[]>() =>
        rows.map((row) => Object.values(row as Record<string, SqlStorageValue>) as Values)[Symbol.iterator](),
      [Symbol.iterator]: () => rows[Symbol.iterator](),
    };
  };
  return {
    sql: { exec },
    transactionSync(work) {
      database.exec("BEGIN");
      try {
        const result = work();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
  };
}
