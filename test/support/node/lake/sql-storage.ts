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
    // A row is read as an array, because an object would hold only the last of several columns with one name.
    statement.setReturnArrays(true);
    const found = (statement as unknown as { all(...all: unknown[]): SqlStorageValue[][] }).all(...bound);
    const names = statement.columns().map(({ name }) => name);
    const rows = (): Row[] =>
      found.map((cells) => Object.fromEntries(cells.map((cell, i) => [names[i]!, cell])) as Row);
    return {
      toArray: rows,
      one: () => {
        if (found.length !== 1) throw new Error(`Expected one row, found ${found.length}.`);
        return rows()[0]!;
      },
      raw: <Values extends SqlStorageValue[]>() => (found as Values[])[Symbol.iterator](),
      [Symbol.iterator]: () => rows()[Symbol.iterator](),
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
