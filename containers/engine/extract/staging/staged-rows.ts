// Chunks that wait for DuckDB, which reads them as a table. No table of its own: filling one costs more than reading
// the rows did.

import { DuckDBTableFunction, type DuckDBConnection, type DuckDBDataChunk, type DuckDBType } from "@duckdb/node-api";
import duckdb from "@duckdb/node-bindings";
import { BIGINT } from "@duckdb/node-api";
import { ROW_BYTES_MAX, type Chunk } from "../chunk-builder.ts";
import { copyIntoVector, memoryBytesOf, type PackedColumn } from "./packed-column.ts";
import { RowMemory, type SlabPool } from "./row-memory.ts";

/**
 * Threads that read narrow rows at once. Each fills a row group of its own, which of wide rows would be too much
 * memory.
 */
const READERS_MAX = 2;
const NARROW_ROW_BYTES = 1_024;
/** Two rows of half the largest size are written at a time, not two larger ones. */
const LARGE_CHUNK_BYTES = ROW_BYTES_MAX / 2;

/** `position`: of the rows' memory before the chunk. */
type PackedChunk = { columns: PackedColumn[]; rows: number; position: number };

/** Rows for one statement: they are gone when it has read them. */
export class StagedRows {
  readonly names: readonly string[];
  readonly types: readonly DuckDBType[];
  rows = 0;
  memoryBytes = 0;
  /** Why a chunk could not be handed over: DuckDB's own error says little. */
  failure: unknown;

  /** Whether a row may be so large that whoever writes it should have all memory for writing. */
  isLarge = false;

  readonly #chunks: (PackedChunk | undefined)[] = [];
  readonly #memory: RowMemory;
  #next = 0;

  constructor(names: readonly string[], types: readonly DuckDBType[], pool: SlabPool) {
    this.names = names;
    this.types = types;
    this.#memory = new RowMemory(pool);
  }

  /** Takes the rows out of the chunk's columns, which are empty then. */
  add(chunk: Chunk): void {
    const { position } = this.#memory;
    const columns = chunk.columns.map((column) => column.pack(chunk.rows, this.#memory));
    this.#chunks.push({ columns, rows: chunk.rows, position });
    this.rows += chunk.rows;
    this.isLarge ||= chunk.bytes > LARGE_CHUNK_BYTES;
    for (const column of columns) this.memoryBytes += memoryBytesOf(column);
  }

  /** The memory that is held for the rows, which is more than they take. */
  get heldBytes(): number {
    return this.#memory.heldBytes;
  }

  get isNarrow(): boolean {
    return this.memoryBytes <= this.rows * NARROW_ROW_BYTES;
  }

  /** Fills `into` with the next chunk, or says that there is none. */
  hand(into: DuckDBDataChunk): void {
    const chunk = this.#chunks[this.#next];
    into.rowCount = chunk?.rows ?? 0;
    if (!chunk) return this.#memory.close();
    this.#memory.giveBack(chunk.position);
    // Large values are not held any longer than they are needed.
    this.#chunks[this.#next++] = undefined;
    try {
      chunk.columns.forEach((column, i) => copyIntoVector(column, duckdb.data_chunk_get_vector(into.chunk, i)));
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }
}

/** The rows that statements of one DuckDB read, each by `FROM staged(id)`. */
export class StagedTables {
  readonly #tables = new Map<bigint, StagedRows>();
  #last = 0n;

  /**
   * DuckDB calls back on this thread: whoever keeps it in a synchronous call of DuckDB's while a statement reads waits
   * for ever.
   */
  register(connection: DuckDBConnection): void {
    connection.registerTableFunction(
      DuckDBTableFunction.create({
        name: "staged",
        parameterTypes: [BIGINT],
        bindFunction: (bind) => {
          const table = this.#tables.get(bind.getParameter(0) as bigint);
          if (!table) return bind.setError("no such staged rows");
          table.names.forEach((name, i) => bind.addResultColumn(name, table.types[i]!));
          bind.setBindData(table);
          bind.setCardinality(table.rows, true);
        },
        initFunction: (init) => init.setMaxThreads((init.getBindData() as StagedRows).isNarrow ? READERS_MAX : 1),
        mainFunction: (call, chunk) => (call.getBindData() as StagedRows).hand(chunk),
      }),
    );
  }

  /**
   * Lets `use` read `rows` by the FROM clause it is given. Rejects as it does, or with what kept the rows from being
   * handed over.
   */
  async use<T>(rows: StagedRows, use: (from: string) => Promise<T>): Promise<T> {
    const id = ++this.#last;
    this.#tables.set(id, rows);
    try {
      return await use(`FROM staged(${id})`);
    } catch (error) {
      throw rows.failure ?? error;
    } finally {
      this.#tables.delete(id);
    }
  }
}
