// An object's storage that counts the rows that each statement reads and writes, as the runtime bills them.

import type { CountedStatement } from "../../../../scripts/bench/catalog/call.ts";

export type CountedStorage = {
  storage: DurableObjectStorage;
  /** What was executed since the last time, or since the beginning. */
  take(): CountedStatement[];
};

type Executed = { query: string; cursor: { rowsRead: number; rowsWritten: number } };

export function countStorage(storage: DurableObjectStorage): CountedStorage {
  const executed: Executed[] = [];
  const exec = (query: string, ...values: SqlStorageValue[]) => {
    const cursor = storage.sql.exec(query, ...values);
    executed.push({ query, cursor });
    return cursor;
  };
  return {
    storage: overriding(storage, { sql: overriding(storage.sql, { exec }) }),
    take: () => sumByQuery(executed.splice(0)),
  };
}

/** An object with other members in place of its own; methods run on the object itself, on which the runtime insists. */
const overriding = <Target extends object>(target: Target, members: object): Target =>
  new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name) as unknown;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });

function sumByQuery(executed: readonly Executed[]): CountedStatement[] {
  const sums = new Map<string, CountedStatement>();
  for (const { query, cursor } of executed) {
    const text = query.replaceAll(/\s+/g, " ").trim();
    const sum = sums.get(text) ?? { query: text, times: 0, rowsRead: 0, rowsWritten: 0 };
    sum.times++;
    sum.rowsRead += cursor.rowsRead;
    sum.rowsWritten += cursor.rowsWritten;
    sums.set(text, sum);
  }
  return [...sums.values()];
}
