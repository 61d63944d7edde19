// The files of a statement's tables, brought to the local disk as far as its plan reads them.

import { createHash } from "node:crypto";
import { Failure } from "../../core/failure.ts";
import type { Phases } from "../../core/phases.ts";
import type { LakeTable, PlannedFile, TablePlan } from "../../../../kernel/lake/lake.ts";
import type { BoundValue } from "../../../../kernel/semantic/query.ts";
import type { LakeGrant } from "../../../../kernel/wire/engine.ts";
import { SMALL_BYTES_MAX, type FileCache, type WantedFile } from "./file-cache.ts";
import type { PinnedFiles, Sign } from "./pinned-files.ts";
import type { ColumnChunk } from "../../parquet/column-chunks.ts";
import { holdsForEveryRow } from "../../../../kernel/lake/row-predicates.ts";
import { FileShapes, type FileField } from "../../parquet/footers.ts";
import { READ_ALL, READ_FOOTERS, narrowPlan, tableReadOf, type TableRead } from "../pruning/table-reads.ts";
import { KeptRowGroups } from "../pruning/kept-row-groups.ts";
import type { Scan } from "../pruning/plan-scans.ts";
import { tableKey, type CatalogClient } from "../catalog/catalog-client.ts";
import { readerOf } from "../catalog/reader-of.ts";
import type { QueryPool } from "../process/pool/query-pool.ts";
import type { Analysis } from "../sql/analysis.ts";
import { LruMap } from "../../../../kernel/text/lru-map.ts";
import { emptyRelationsSql, type LocalFiles, type OpenPlan, type RelationOptions } from "../sql/relations.ts";
import { CATALOG_NAME } from "../sql/catalogs.ts";
import { rowGroupQuestions, wantedParts, wantsChunk, type OpenReading, type WantedParts } from "./wanted-parts.ts";

/** The longest time for a plan probe: a slower plan is not worth waiting for twice. */
const PROBE_MS_MAX = 1_000;
/** Where at least this many files are not on the disk, the catalog is asked which of them matter. */
const PRUNED_FILES_MIN = 4;
/** Footers that one process reads at a time: their content comes back in one message. */
const INSPECTED_MAX = 256;
const MISPREDICTED_MAX = 1_000;
const PROBED_CHARACTERS_MAX = 8 * 1024 * 1024;
/** Characters of an entry besides its text: its digest and the map's own overhead. */
const PROBED_ENTRY_CHARACTERS = 300;

/**
 * Without an analysis all of the tables' files is brought in, for a reader of our own. `options`: how the tables become
 * relations. `otherRelations`: what makes the statement's other relations, without rows.
 */
export type TableStatement = {
  grant: LakeGrant;
  analysis?: Analysis;
  /** Values of the statement's parameters. */
  values?: readonly BoundValue[] | undefined;
  /** The most rows of the answer that are used. */
  rowsMax?: number | undefined;
  tables: readonly LakeTable[];
  plans: readonly TablePlan[];
  options?: RelationOptions;
  otherRelations?: readonly string[];
  phases: Phases;
};

/** Files that stay until released; `plans` leaves out those, and rows, that can't matter. */
export type TableFiles = LocalFiles & {
  plans: readonly OpenPlan[];
  /** Whether a part of a file may be missing for the statement; others may have filled it since. */
  isPartial: boolean;
  /** Reports that a part was missing: from now on the statement is opened with all of its files. */
  reportHole(): void;
  release(): void;
  /** Holds the same files once more: answers how to release that, or undefined where one of them is not here whole. */
  holdWhole(): (() => void) | undefined;
};

export class TableFilesOpener {
  readonly #plans: CatalogClient;
  readonly #cache: FileCache;
  readonly #pool: QueryPool;
  readonly #shapes = new FileShapes();
  readonly #rowGroups = new KeptRowGroups();
  /** Statements that read more than their plan said. */
  readonly #mispredicted = new LruMap<true>(MISPREDICTED_MAX);
  /** The reads of steady statements, by {@link probeKey}. */
  readonly #probed = new LruMap<Probed>(
    PROBED_CHARACTERS_MAX,
    ({ scans }) => PROBED_ENTRY_CHARACTERS + JSON.stringify(scans).length,
  );

  constructor(plans: CatalogClient, cache: FileCache, pool: QueryPool) {
    this.#plans = plans;
    this.#cache = cache;
    this.#pool = pool;
  }

  /** Rejects with a Failure, or the signal's reason. */
  async open(statement: TableStatement, signal: AbortSignal): Promise<TableFiles> {
    const { grant, tables, phases } = statement;
    const reads = await phases.time("prune", () => this.#readsOf(statement, signal));
    const narrowed = async (plan: TablePlan, i: number): Promise<OpenPlan> =>
      narrowPlan(await this.#pruned(statement, { table: tables[i]!, plan, read: reads[i]! }, signal), reads[i]!);
    const plans = await phases.time("prune", () => Promise.all(statement.plans.map(narrowed)));
    const wanted = plans.flatMap(({ files }, i) => filesOf(files, !reads[i]!.scans));
    const sign: Sign = (ids, until) => this.#plans.sign(grant, ids, until);
    const source = { lakeId: grant.lakeId, sign, phases };
    const pinned = await phases.time("fetch", () => this.#cache.pin(source, wanted, signal));
    try {
      const shapes = await phases.time("prune", () => this.#inspect(plans, pinned, signal));
      const local = { paths: pinned.paths, shapes };
      await this.#fetchNeeded({ reader: readerOf(grant), tables, plans, reads, local, pinned, phases }, signal);
      return {
        ...local,
        plans,
        isPartial: pinned.isPartial || plans.some(({ rows }) => rows !== undefined),
        reportHole: () => statement.analysis && this.#mispredicted.set(statementKey(statement), true),
        release: pinned.release,
        holdWhole: pinned.holdWhole,
      };
    } catch (error) {
      pinned.release();
      throw error;
    }
  }

  /** Table by table. Where little is missing, all of it is needed: finding out more would take longer. */
  async #readsOf(statement: TableStatement, signal: AbortSignal): Promise<TableRead[]> {
    const { grant, analysis, tables, plans } = statement;
    const files = plans.flatMap(({ files }) => filesOf(files, true));
    if (!analysis || this.#cache.missing(grant.lakeId, files) <= SMALL_BYTES_MAX) return tables.map(() => READ_ALL);
    return this.predictReads({ ...statement, analysis }, signal);
  }

  /** The reads of a statement, table by table, by its plan alone; everything where that is not certain. */
  async predictReads(statement: TableStatement & { analysis: Analysis }, signal: AbortSignal): Promise<TableRead[]> {
    const { analysis, tables, options } = statement;
    const everything = tables.map(() => READ_ALL);
    if (analysis.explain) return tables.map(() => READ_FOOTERS);
    // DuckDB can't write down a plan that reads the catalog.
    if (analysis.readsMetadata || this.#mispredicted.get(statementKey(statement))) return everything;
    const scans = await this.#probe(analysis.body, statement, signal);
    const own = scans?.filter(({ catalog }) => catalog === (options?.catalog ?? CATALOG_NAME));
    return own ? tables.map((table) => tableReadOf(table, own, analysis.isSteady)) : everything;
  }

  /** The scans in the statement's plan; null where they are not certain, or not known in time. */
  async #probe(body: string, statement: TableStatement, signal: AbortSignal): Promise<Scan[] | null> {
    const { tables, values = [], rowsMax, options = {}, otherRelations = [] } = statement;
    const key = probeKey(body, statement);
    const known = this.#probed.get(key);
    if (known) return known.scans;
    const setup = [...emptyRelationsSql(tables, options), ...otherRelations];
    const limited = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS_MAX)]);
    const planned = rowsMax === undefined ? body : `FROM (\n${body}\n) LIMIT ${rowsMax}`;
    try {
      const scans = await this.#pool.withProcess(signal, (process) =>
        process.probe({ setup, body: planned, values }, limited),
      );
      // A plan that depends on the time of day, or was not made in time, may be another the next time.
      if (statement.analysis?.isSteady && !limited.aborted) this.#probed.set(key, { scans });
      return scans;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Failure && (error.code === "busy" || error.code === "disk_full")) throw error;
      return null;
    }
  }

  /** The plans without the files that the catalog knows to hold no row that matters. */
  async #pruned(
    { grant }: TableStatement,
    { table, plan, read: { anyOf, isCounted } }: { table: LakeTable; plan: TablePlan; read: TableRead },
    signal: AbortSignal,
  ): Promise<TablePlan> {
    if (isCounted || holdsForEveryRow(anyOf)) return plan;
    const missing = plan.files.filter((file) => this.#cache.missing(grant.lakeId, [file]) > 0);
    return missing.length < PRUNED_FILES_MIN ? plan : this.#plans.prune(grant, { table, plan, anyOf }, signal);
  }

  /** The shapes of all data files, by path; the cache learns where their chunks lie. */
  async #inspect(
    plans: readonly TablePlan[],
    pinned: PinnedFiles,
    signal: AbortSignal,
  ): Promise<Map<string, FileField[]>> {
    const paths = plans.flatMap(({ files }) => files.map(({ id }) => pinned.paths.get(id)!));
    const unknown = new Map(pinned.withoutLayout().map((file) => [file.path, file]));
    const read = async (missing: string[]): Promise<FileField[][]> => {
      const all = [...new Set([...missing, ...unknown.keys()])];
      const found: FileField[][] = [];
      await this.#pool.withProcess(signal, async (process) => {
        for (let i = 0; i < all.length; i += INSPECTED_MAX) {
          const some = all.slice(i, i + INSPECTED_MAX);
          const sparse = some.filter((path) => unknown.has(path));
          const { shapes, chunks } = await process.inspect(some, sparse, signal);
          found.push(...shapes);
          sparse.forEach((path, j) => unknown.get(path)!.setLayout(chunks[j]!));
        }
      });
      return found.slice(0, missing.length);
    };
    const shapes = await this.#shapes.of(paths, read);
    if (pinned.withoutLayout().length > 0) await read([]);
    return shapes;
  }

  /** Fetches the chunks that the statement's scans read and that are not here yet. */
  async #fetchNeeded(reading: OpenReading, signal: AbortSignal): Promise<void> {
    const wanted = wantedParts(reading);
    const isWanted = (fileId: number, chunk: ColumnChunk): boolean => wantsChunk(wanted.get(fileId), chunk);
    const lacking = reading.plans.map(({ files }) =>
      files.filter(({ id }) => reading.pinned.lacks(id, (chunk) => isWanted(id, chunk))),
    );
    if (lacking.every((files) => files.length === 0)) return;
    const { phases, pinned } = reading;
    await phases.time("prune", () => this.#leaveOutRowGroups(reading, lacking, wanted, signal));
    await phases.time("fetch", () => pinned.fetch(isWanted, signal));
  }

  /**
   * Notes in `wanted` the row groups that can't hold a row that matters. DuckDB passes over them by the same
   * statistics; where it does not, it meets a hole.
   */
  async #leaveOutRowGroups(
    reading: OpenReading,
    lacking: readonly (readonly PlannedFile[])[],
    wanted: ReadonlyMap<number, WantedParts>,
    signal: AbortSignal,
  ): Promise<void> {
    const asked = rowGroupQuestions(reading, lacking);
    if (asked.length === 0) return;
    const questions = asked.map(({ question }) => question);
    const answers = await this.#rowGroups.of(reading.reader, questions, (unknown) =>
      this.#pool.withProcess(signal, (process) => process.prune(unknown, signal)),
    );
    for (const [i, { fileIds, scan }] of asked.entries())
      for (const [j, id] of fileIds.entries()) wanted.get(id)!.scans[scan]!.unneeded = new Set(answers[i]![j]);
  }
}

/** `scans` are null where DuckDB has no plan to write down. */
type Probed = { scans: Scan[] | null };

/** All that a statement is planned by: equal versions of a table are equal tables. */
const probeKey = (body: string, statement: TableStatement): string => {
  const { grant, tables, values = [], rowsMax = Infinity, options = {}, otherRelations = [] } = statement;
  return digestOf([body, tables.map((table) => tableKey(grant, table)), values, `${rowsMax}`, options, otherRelations]);
};

const digestOf = (parts: unknown): string => createHash("sha256").update(JSON.stringify(parts)).digest("base64");

/** The reader is part of the key, as other tables and views lead to another plan. */
const statementKey = ({ grant, analysis }: TableStatement): string => digestOf([readerOf(grant), analysis?.body]);

const filesOf = (files: TablePlan["files"], whole: boolean): WantedFile[] =>
  files.flatMap(({ deletes, ...file }) => [{ ...file, whole }, ...(deletes ? [{ ...deletes, whole: true }] : [])]);
