// The catalog's code asks for these types of the Workers runtime by name, also where it runs over Node's SQLite
// instead.

type SqlStorageValue = string | number | null | ArrayBuffer;

interface SqlStorageCursor<Row> extends Iterable<Row> {
  toArray(): Row[];
  one(): Row;
  raw<Values extends SqlStorageValue[]>(): IterableIterator<Values>;
}

interface SqlStorage {
  exec<Row extends Record<string, SqlStorageValue> = Record<string, SqlStorageValue>>(
    query: string,
    ...bindings: unknown[]
  ): SqlStorageCursor<Row>;
}

interface DurableObjectStorage {
  sql: SqlStorage;
  transactionSync<Result>(work: () => Result): Result;
}
