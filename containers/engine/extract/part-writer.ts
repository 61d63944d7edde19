// Rows cut into parts: while one is written and taken away, the next one fills.

import type { DuckDBConnection, DuckDBType } from "@duckdb/node-api";
import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import type { Chunk, ODD_FLOAT } from "./chunk-builder.ts";
import { SlabPool } from "./staging/row-memory.ts";
import { StagedRows } from "./staging/staged-rows.ts";
import { typesOf, type StagingDatabase } from "./staging-database.ts";
import type { VectorColumn } from "./vector-column.ts";

/** How much a part holds at most, give or take a chunk; of memory, no more than the staging gives either. */
export type PartBounds = { rowsMax: number; memoryBytesMax: number };

/** A part that is full. `from` is its FROM clause, to be read once, on `connection`. */
export type StagedPart = {
  connection: DuckDBConnection;
  from: string;
  /** The {@link ODD_FLOAT}s of all rows so far, per column. */
  oddFloats: readonly number[];
  /** See {@link StagedRows.isLarge}. */
  isLarge: boolean;
};

/** Writes a part, or does with it what is to be done. Resolves to how many rows it saw. */
export type UsePart = (part: StagedPart) => Promise<number>;

export type PartPlan = {
  staging: StagingDatabase;
  columns: readonly LakeColumn[];
  bounds: PartBounds;
  /** Makes columns for a chunk. */
  makeColumns(): VectorColumn[];
  use: UsePart;
  signal: AbortSignal;
  /** Called at once where a part could not be used. */
  onFailure(error: unknown): void;
};

export class PartWriter {
  /** By {@link UsePart}'s count. */
  rowsUsed = 0;

  readonly #plan: PartPlan;
  readonly #connection: DuckDBConnection;
  readonly #types: DuckDBType[];
  readonly #columns: VectorColumn[][] = [];
  readonly #slabs: SlabPool;
  #filling: StagedRows;
  #oddFloats: readonly number[] = [];
  #previous: Promise<void> = Promise.resolve();
  #starting: Promise<void> | undefined;
  readonly #interrupt = () => this.#connection.interrupt();

  private constructor(plan: PartPlan, connection: DuckDBConnection, types: DuckDBType[]) {
    this.#plan = plan;
    this.#connection = connection;
    this.#types = types;
    this.#slabs = new SlabPool(() => plan.staging.rowBudget.partBytesMax);
    this.#filling = this.#createPart();
    plan.signal.addEventListener("abort", this.#interrupt);
  }

  /** To be closed, whatever happens. */
  static async open(plan: PartPlan): Promise<PartWriter> {
    const connection = await plan.staging.connect();
    try {
      return new PartWriter(plan, connection, await typesOf(connection, plan.columns));
    } catch (error) {
      connection.closeSync();
      throw error;
    }
  }

  /** Columns for a chunk: those of one that was added, where there are. */
  readonly emptyColumns = (): VectorColumn[] => this.#columns.pop() ?? this.#plan.makeColumns();

  /**
   * A promise where the source is ahead of whoever uses the parts. `oddFloats`: the {@link ODD_FLOAT}s so far, per
   * column.
   */
  add(chunk: Chunk, oddFloats: readonly number[]): Promise<void> | undefined {
    this.#filling.add(chunk);
    this.#columns.push(chunk.columns);
    this.#oddFloats = oddFloats;
    const { rows, memoryBytes, heldBytes } = this.#filling;
    const { bounds, staging } = this.#plan;
    const isFull =
      rows >= bounds.rowsMax || memoryBytes >= bounds.memoryBytesMax || heldBytes >= staging.rowBudget.partBytesMax;
    if (isFull) this.#starting ??= this.#startNextPart().finally(() => (this.#starting = undefined));
    // No reader goes on while one of them waits for the next part: they would fill a third.
    return this.#starting;
  }

  /** Uses what is left; settles when the last part was used. */
  async end(): Promise<void> {
    await this.#previous;
    if (this.#filling.rows > 0) await this.#write(this.#filling, this.#oddFloats);
  }

  /** Waits for a part that is being used. */
  async close(): Promise<void> {
    await this.#previous.catch(() => undefined);
    this.#plan.signal.removeEventListener("abort", this.#interrupt);
    this.#connection.closeSync();
  }

  #createPart(): StagedRows {
    return new StagedRows(
      this.#plan.columns.map(({ name }) => name),
      this.#types,
      this.#slabs,
    );
  }

  /** Waits until the part before is used, or memory would hold three. */
  async #startNextPart(): Promise<void> {
    const filling = this.#filling;
    const oddFloats = this.#oddFloats;
    this.#filling = this.#createPart();
    await this.#previous;
    // Rows that are read from here on belong to the next part.
    this.#previous = this.#write(filling, [...oddFloats]);
    this.#previous.catch(this.#plan.onFailure);
  }

  async #write(part: StagedRows, oddFloats: readonly number[]): Promise<void> {
    const { signal, staging, use } = this.#plan;
    signal.throwIfAborted();
    const connection = this.#connection;
    const rows = await staging.tables.use(part, (from) => use({ connection, from, oddFloats, isLarge: part.isLarge }));
    if (rows !== part.rows) throw new Error(`a part of ${part.rows} rows was written with ${rows}`);
    this.rowsUsed += rows;
  }
}
