// The files of a statement's tables, brought to the local disk as far as its plan reads them.

import { createHash } from "node:crypto";
import { Failure } from "../failure.ts";
import type { LakeTable, PlannedFile, Predicate, TablePlan } from "../lake-protocol.ts";
import type { LakeGrant } from "../protocol.ts";
import { SMALL_BYTES_MAX, type FileCache, type PinnedFiles, type WantedFile } from "./cache.ts";
import { EVERY_FIELD, type Chunk } from "./column-chunks.ts";
import { FileShapes, leafCount, type FileField } from "./file-shapes.ts";
import { duckdbType } from "./lake-types.ts";
import type { Scan } from "./plan-scans.ts";
import type { Plans } from "./plans.ts";
import type { QueryPool } from "./pool.ts";
import type { Analysis } from "./query-messages.ts";
import { Recent } from "./recent.ts";
import { isAlike, relationsSql, type LocalFiles } from "./relations.ts";
import type { RowGroupQuestion } from "./row-groups.ts";

/** A plan that takes longer is not worth waiting for twice. */
const SCOUT_MS_MAX = 1_000;
/** Of so many files that are not here the catalog is asked which matter. */
const PRUNED_FILES_MIN = 4;
const CONDITIONS_MAX = 100;
/** Footers that one process reads at a time: what they say is told in one message. */
const INSPECTED_MAX = 256;
const MISJUDGED_MAX = 1_000;

/** Without an analysis all of the tables' files is brought in, for a reader of our own. */
export type TableStatement = { grant: LakeGrant; analysis?: Analysis; tables: readonly LakeTable[]; plans: readonly TablePlan[] };

/** Files that stay until released; `plans` leaves out those that can't matter. */
export type TableFiles = LocalFiles & {
  plans: readonly TablePlan[];
  /** Whether the statement could meet a hole. */
  isPartial(): boolean;
  /** It did: from now on all of its files is fetched at once. */
  misjudged(): void;
  fetchRest(signal: AbortSignal): Promise<void>;
  release(): void;
};

/** What a statement reads of one table: all columns where undefined. Conditions hold for every row that matters. */
type Need = { columns: Set<number> | undefined; conditions: Predicate[] };

export class TableFilesOpener {
  private readonly plans: Plans;
  private readonly cache: FileCache;
  private readonly pool: QueryPool;
  private readonly shapes = new FileShapes();
  /** Statements that read more than their plan said. */
  private readonly misjudged = new Recent<true>(MISJUDGED_MAX);

  constructor(plans: Plans, cache: FileCache, pool: QueryPool) {
    this.plans = plans;
    this.cache = cache;
    this.pool = pool;
  }

  /** Rejects with a Failure, or the signal's reason. */
  async open(statement: TableStatement, signal: AbortSignal): Promise<TableFiles> {
    const { grant, tables } = statement;
    const needs = await this.needs(statement, signal);
    const plans = await Promise.all(statement.plans.map((plan, i) => this.pruned(statement, plan, needs[i]!, signal)));
    const wanted = plans.flatMap(({ files }, i) => filesOf(files, !needs[i]!.columns));
    const pinned = await this.cache.pin(grant.lakeId, wanted, (ids) => this.plans.sign(grant, ids, signal), signal);
    try {
      const shapes = await this.inspect(plans, pinned, signal);
      const local = { paths: pinned.paths, shapes };
      await this.fetchNeeded(tables, plans, needs, local, pinned, signal);
      return {
        ...local,
        plans,
        isPartial: () => pinned.isPartial,
        misjudged: () => statement.analysis && this.misjudged.set(digest(statement.analysis.body), true),
        fetchRest: (signal) => pinned.fetch(() => true, signal),
        release: pinned.release,
      };
    } catch (error) {
      pinned.release();
      throw error;
    }
  }

  /** Table by table. Where little is missing, all of it is needed: finding out more would take longer. */
  private async needs({ grant, analysis, tables, plans }: TableStatement, signal: AbortSignal): Promise<Need[]> {
    const everything = tables.map((): Need => ({ columns: undefined, conditions: [] }));
    const files = plans.flatMap(({ files }) => filesOf(files, true));
    if (!analysis || this.cache.missing(grant.lakeId, files) <= SMALL_BYTES_MAX) return everything;
    // A plan is made from footers.
    if (analysis.explain) return tables.map(() => ({ columns: new Set(), conditions: [] }));
    // DuckDB writes no plan down that reads the catalog.
    if (analysis.readsMetadata || this.misjudged.get(digest(analysis.body))) return everything;
    const scans = await this.scout(analysis, tables, signal);
    return scans ? tables.map((table) => needOf(table, scans)) : everything;
  }

  private async scout({ body }: Analysis, tables: readonly LakeTable[], signal: AbortSignal): Promise<Scan[] | null> {
    const empty = tables.map(({ tableId }) => ({ tableId, files: [] }));
    const schemas = [...new Set(tables.map(({ schema }) => schema))];
    const setup = relationsSql({ snapshotId: 0, schemas, tables: [...tables] }, tables, empty, { paths: new Map(), shapes: new Map() }, false);
    const limited = AbortSignal.any([signal, AbortSignal.timeout(SCOUT_MS_MAX)]);
    try {
      return await this.pool.with(signal, (process) => process.scout(setup, body, limited));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Failure && error.code === "busy") throw error;
      return null;
    }
  }

  /** Without the files that the catalog knows to hold no row that matters. */
  private async pruned({ grant, analysis }: TableStatement, plan: TablePlan, { conditions }: Need, signal: AbortSignal): Promise<TablePlan> {
    // What was true when the statement was planned here must be true when it runs: a pruned file is not there to say otherwise.
    if (!analysis?.isSteady || conditions.length === 0) return plan;
    const missing = plan.files.filter((file) => this.cache.missing(grant.lakeId, [file]) > 0);
    return missing.length < PRUNED_FILES_MIN ? plan : this.plans.prune(grant, plan, conditions, signal);
  }

  /** The shapes of all data files, by path; the cache learns where their chunks lie. */
  private async inspect(plans: readonly TablePlan[], pinned: PinnedFiles, signal: AbortSignal): Promise<Map<string, FileField[]>> {
    const paths = plans.flatMap(({ files }) => files.map(({ id }) => pinned.paths.get(id)!));
    const unknown = new Map(pinned.unknown().map((file) => [file.path, file]));
    const read = async (missing: string[]): Promise<FileField[][]> => {
      const all = [...new Set([...missing, ...unknown.keys()])];
      const found: FileField[][] = [];
      await this.pool.with(signal, async (process) => {
        for (let i = 0; i < all.length; i += INSPECTED_MAX) {
          const some = all.slice(i, i + INSPECTED_MAX);
          const sparse = some.filter((path) => unknown.has(path));
          const { shapes, chunks } = await process.inspect(some, sparse, signal);
          found.push(...shapes);
          sparse.forEach((path, j) => unknown.get(path)!.learn(chunks[j]!));
        }
      });
      return found.slice(0, missing.length);
    };
    const shapes = await this.shapes.of(paths, read);
    if (pinned.unknown().length > 0) await read([]);
    return shapes;
  }

  private async fetchNeeded(tables: readonly LakeTable[], plans: readonly TablePlan[], needs: readonly Need[], local: LocalFiles, pinned: PinnedFiles, signal: AbortSignal): Promise<void> {
    const fieldsOf = new Map<number, Set<number>>();
    plans.forEach(({ files }, i) => {
      for (const { id } of files) fieldsOf.set(id, neededFields(needs[i]!, local.shapes.get(local.paths.get(id)!)!));
    });
    // A delete file comes whole, so it is asked for nothing here.
    const isOfField = (id: number, { field }: Chunk): boolean => field === EVERY_FIELD || (fieldsOf.get(id)?.has(field) ?? true);
    const lacking = plans.map(({ files }) => files.filter(({ id }) => pinned.lacks(id, (chunk) => isOfField(id, chunk))));
    if (lacking.every((files) => files.length === 0)) return;
    const unfit = await this.unfitRowGroups(tables, lacking, needs, local, signal);
    await pinned.fetch((id, chunk) => isOfField(id, chunk) && (chunk.field === EVERY_FIELD || !unfit.get(id)?.has(chunk.rowGroup)), signal);
  }

  /** By file, the row groups that can't matter. DuckDB passes over them by the same statistics, or else meets a hole. */
  private async unfitRowGroups(tables: readonly LakeTable[], files: readonly (readonly PlannedFile[])[], needs: readonly Need[], local: LocalFiles, signal: AbortSignal): Promise<Map<number, Set<number>>> {
    const unfit = new Map<number, Set<number>>();
    const asked = tables.flatMap((table, i) => questionsOf(table, files[i]!, needs[i]!, local));
    if (asked.length === 0) return unfit;
    const answers = await this.pool.with(signal, (process) => process.prune(asked.map(({ question }) => question), signal));
    asked.forEach(({ ids }, i) => ids.forEach((id, j) => unfit.set(id, new Set(answers[i]![j]))));
    return unfit;
  }
}

const digest = (text: string): string => createHash("sha256").update(text).digest("base64");

const filesOf = (files: TablePlan["files"], whole: boolean): WantedFile[] =>
  files.flatMap(({ deletes, ...file }) => [{ ...file, whole }, ...(deletes ? [{ ...deletes, whole: true }] : [])]);

/** Conditions are of use where they stand for every row that is read: where there is one scan. */
function needOf(table: LakeTable, scans: readonly Scan[]): Need {
  const own = scans.filter(({ schema, table: name }) => schema === table.schema && name === table.name);
  const columns = new Set(own.flatMap((scan) => scan.columns.map((place) => table.columns[place]?.id ?? -1)));
  if (columns.size === table.columns.length && own.every(({ conditions }) => conditions.length === 0)) return { columns: undefined, conditions: [] };
  const conditions = own.length === 1 ? own[0]!.conditions.slice(0, CONDITIONS_MAX) : [];
  return { columns, conditions: conditions.map(({ column, ...condition }) => ({ columnId: table.columns[column]!.id, ...condition })) };
}

/** The places of the file's fields that are read. */
function neededFields({ columns }: Need, shape: readonly FileField[]): Set<number> {
  return new Set(shape.flatMap(({ id }, place) => (!columns || (id !== null && columns.has(id)) ? [place] : [])));
}

/** What to ask about files whose columns have the table's types: of others DuckDB may not use the statistics. NaN is beyond them. */
function questionsOf(table: LakeTable, files: readonly PlannedFile[], { conditions }: Need, { paths, shapes }: LocalFiles): Array<{ ids: number[]; question: RowGroupQuestion }> {
  const questions: Array<{ ids: number[]; question: RowGroupQuestion }> = [];
  for (const [shape, alike] of Map.groupBy(files, ({ id }) => shapes.get(paths.get(id)!)!)) {
    const told = conditions.flatMap(({ columnId, op, values }) => {
      const column = table.columns.find(({ id }) => id === columnId)!;
      const place = shape.findIndex(({ id }) => id === columnId);
      if (place < 0 || column.children.length > 0 || column.type.startsWith("float") || !isAlike(column, shape[place]!)) return [];
      return [{ leaf: shape.slice(0, place).reduce((sum, field) => sum + leafCount(field), 0), type: duckdbType(column), op, values }];
    });
    if (told.length > 0) questions.push({ ids: alike.map(({ id }) => id), question: { paths: alike.map(({ id }) => paths.get(id)!), conditions: told } });
  }
  return questions;
}
