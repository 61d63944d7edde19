// The sync: one view of the source, some tables at a time, a commit for each; one that fails leaves the others alone.

import { foldName } from "../../duckdb/names.ts";
import { Semaphore } from "../../../program/semaphore.ts";
import { connectorOf } from "../../sources/connectors.ts";
import type { ListedTable, SourceSnapshot } from "../../sources/snapshot.ts";
import type { StagingDatabase } from "../../extract/staging-database.ts";
import { isNameOf, withName } from "../../../../kernel/text/name-folding.ts";
import { Failure } from "../../core/failure.ts";
import type { LakeTable } from "../../../../kernel/lake/lake.ts";
import type { SyncOutcome, TablesAnswer } from "../../../../kernel/jobs/job.ts";
import type { SyncWork } from "../../../../kernel/jobs/work.ts";
import type { JobPlatform } from "../../platform/job-platform.ts";
import type { JobContext, RunningWork } from "../running-work.ts";
import { isRetryable } from "../failures.ts";
import { describeSyncFailure, endsTheRun } from "./failures.ts";
import { expandTables } from "./tables/expand-tables.ts";
import { LongRunningTables } from "./progress/long-running-tables.ts";
import { shorten, startProgress, reportProgress, warn, type TableProgress } from "./progress/progress.ts";
import type { SharedStaging } from "./rows/shared-staging.ts";
import type { SyncRun, TableTask } from "./sync-run.ts";
import { syncTable } from "./sync-table.ts";
import { parseCheckpoint, checkpointKey } from "./commit/checkpoint.ts";

/** Reading is one thread's work: more at a time only hides waiting. */
const TABLES_AT_ONCE = 2;
const ERROR_CHARACTERS_MAX = 8_000;
/** How often tables that take long are looked at. */
const WATCH_MS = 5_000;

type Failed = { path: string; error: unknown };

/** The dependencies that syncs of one engine share. `rangeRows`: see {@link SyncRun}. */
export type SyncJobDeps = Pick<SyncRun, "rangeRows"> & { staging: SharedStaging };

export class SyncJob implements RunningWork {
  readonly #work: SyncWork;
  readonly #platform: JobPlatform;
  readonly #signal: AbortSignal;
  readonly #report: (progress: string) => void;
  readonly #shared: SharedStaging;
  readonly #rangeRows: number | undefined;
  readonly #tables: TableProgress[] = [];
  /** Notes on the run, rather than on one of its tables. */
  readonly #notes: string[] = [];
  readonly #failed: Failed[] = [];

  constructor(work: SyncWork, { platform, signal, report }: JobContext, { staging, rangeRows }: SyncJobDeps) {
    this.#work = work;
    this.#shared = staging;
    this.#rangeRows = rangeRows;
    this.#platform = platform;
    this.#signal = signal;
    this.#report = report;
  }

  readonly progress = () => reportProgress(this.#tables, this.#notes);

  /** Reports the job's outcome to the platform, and rejects with the reason where it did not succeed. */
  async run(): Promise<void> {
    let end: { error: unknown } | undefined;
    const long = new LongRunningTables();
    const timer = setInterval(() => {
      for (const line of long.lines(this.#tables, performance.now())) void this.#platform.log("info", line);
    }, WATCH_MS);
    try {
      await this.#shared.use((staging) => this.#sync(staging));
    } catch (error) {
      end = { error: this.#signal.aborted ? this.#signal.reason : error };
    } finally {
      clearInterval(timer);
    }
    await this.#platform.finish(this.#outcomeOf(end)).catch((error: unknown) => {
      end ??= { error };
    });
    if (end) throw end.error;
  }

  #outcomeOf(end: { error: unknown } | undefined): SyncOutcome {
    const progress = this.progress();
    if (!end) return { outcome: "succeeded", error: null, retryable: false, progress };
    const { code, message } = describeSyncFailure(end.error);
    const retryable =
      this.#failed.length > 0 ? this.#failed.some(({ error }) => isRetryable(error)) : isRetryable(end.error);
    const outcome = code === "cancelled" ? "cancelled" : "failed";
    return { outcome, error: message, retryable, platformAway: this.#platform.wasAway, progress };
  }

  async #sync(opening: Promise<StagingDatabase>): Promise<void> {
    const work = this.#work;
    const signal = this.#signal;
    const rangeRows = this.#rangeRows;
    let sourceSnapshot: SourceSnapshot | undefined;
    // The lake is asked, and the staging opened, while the source is connected to.
    const lakeTables = this.#platform.tables(work.destSchema);
    lakeTables.catch(() => undefined);
    try {
      this.#report("Connecting to the source");
      sourceSnapshot = await connectorOf(work.source).openSnapshot(work.source, `fjord sync ${work.syncId}`, signal);
      this.#report(sourceSnapshot.consistency);
      const staging = await opening;
      const run = { work, platform: this.#platform, sourceSnapshot, staging, signal, rangeRows };
      const tasks = await this.#plan(run, lakeTables);
      // This heartbeat shows the plan at once to people who watch the run, and no table waits for it. If it fails, the
      // next heartbeat brings the plan.
      void this.#platform.heartbeat(this.progress()).catch(() => undefined);
      await this.#runTasks(tasks, Math.min(TABLES_AT_ONCE, sourceSnapshot.readersMax));
    } finally {
      await sourceSnapshot?.close();
    }
    signal.throwIfAborted();
    if (this.#failed.length > 0) throw new Failure(this.#codeOf(), this.#whyFailed());
  }

  async #plan(run: SyncRun, lakeTables: Promise<TablesAnswer>): Promise<TableTask[]> {
    const { work, sourceSnapshot, signal, platform } = run;
    const listed = await sourceSnapshot.listTables(signal);
    const { tables, missing: unlisted, unclear } = expandTables(work, listed, sourceSnapshot.folding);
    const found = [...tables, ...unclear].map(({ path }) => path);
    const isFound = (typed: string) => found.some((path) => isNameOf(sourceSnapshot.folding ?? "exact", typed, path));
    // `work.only` may name tables that a star (`schema.*`) stood for in an earlier run. Tables that the star stands for
    // now may be dropped at the source before they are read, which is no failure.
    const named = unlisted.filter((path) => !work.brought?.includes(path));
    const missing = [...new Set([...named, ...(work.only ?? []).filter((path) => !isFound(path))])];
    const lake = new Map((await lakeTables).tables.map((table) => [foldName(table.name), table]));
    const states = await platform.state(
      [...tables.map(({ path }) => path), ...missing].map((path) => checkpointKey(work.syncId, path)),
    );
    const tasks = tables.map((source): TableTask => {
      const progress = this.#begin(source.path, source.name, source.rowsEstimated);
      return {
        run,
        source,
        progress,
        lake: lake.get(foldName(source.name)),
        checkpoint: parseCheckpoint(states.get(checkpointKey(work.syncId, source.path))),
      };
    });
    for (const { path, reason } of unclear) this.#fail(this.#begin(path, path), new Failure("sql_error", reason));
    await this.#failMissing(
      run,
      missing,
      new Set(missing.filter((path) => states.has(checkpointKey(work.syncId, path)))),
    );
    if (work.only === null) {
      for (const { path, reason } of work.leftOut ?? []) this.#skip(path, reason, "left out");
      await this.#skipVanished(run, listed, [...lake.values()], [...found, ...missing]);
      this.#noteEmptyStars(sourceSnapshot, listed);
    }
    return tasks;
  }

  #begin(path: string, name: string, rowsEstimated: number | null = null): TableProgress {
    const progress = startProgress(path, `${this.#work.destSchema}.${name}`, rowsEstimated);
    this.#tables.push(progress);
    return progress;
  }

  /** A table that somebody has named and the run can't have makes it fail, once the others are done. */
  async #failMissing(
    { sourceSnapshot, signal }: SyncRun,
    missing: readonly string[],
    wereSynced: ReadonlySet<string>,
  ): Promise<void> {
    const reasons = await sourceSnapshot.explainMissing(missing, wereSynced, signal);
    for (const path of missing) {
      const leftOut = this.#work.leftOut?.find((table) => table.path === path)?.reason;
      const text = `${leftOut ?? reasons.get(path)!}${wereSynced.has(path) ? ` ${TABLE_KEPT}` : ""} ${SET_RIGHT}`;
      this.#fail(this.#begin(path, nameOf(path)), new Failure("sql_error", text));
    }
  }

  #skip(path: string, text: string, method: string): void {
    const progress = Object.assign(this.#begin(path, nameOf(path)), { phase: "skipped", method });
    warn(progress, "table_skipped", text);
    void this.#platform.log("warning", text);
  }

  /** Notes a star that matches no table: it takes all tables that there are, even none. */
  #noteEmptyStars({ folding = "exact" }: SourceSnapshot, listed: readonly ListedTable[]): void {
    const stars = this.#work.tables.filter(
      (pattern) => pattern.endsWith(".*") && !listed.some(({ path }) => path === pattern),
    );
    for (const star of stars) {
      const schema = star.slice(0, -2);
      if (listed.some((table) => isNameOf(folding, schema, table.schema) && !table.isView)) continue;
      const text = `${star} brought no table: the source has no schema ${schema} with tables that may be read.`;
      this.#notes.push(text);
      void this.#platform.log("warning", text);
    }
  }

  /**
   * Notes lake tables that a star brought once and brings no more. The checkpoint says that such a table was this
   * sync's.
   */
  async #skipVanished(
    { work, sourceSnapshot, signal }: SyncRun,
    listed: readonly ListedTable[],
    lake: readonly LakeTable[],
    known: readonly string[],
  ): Promise<void> {
    const stars = work.tables
      .filter((pattern) => pattern.endsWith(".*"))
      .map((pattern) => pattern.slice(0, -2))
      .map(
        (typed) =>
          withName(sourceSnapshot.folding ?? "exact", typed, listed, ({ schema }) => schema)[0]?.schema ?? typed,
      );
    const paths = [...known, ...(work.brought ?? []), ...(work.leftOut ?? []).map(({ path }) => path)];
    const schemas = new Set([...stars, ...paths.map((path) => path.slice(0, path.indexOf(".")))]);
    const isTable = (path: string): boolean => listed.some((table) => table.path === path && !table.isView);
    const candidates = [...schemas]
      .flatMap((schema) => lake.map(({ name }) => `${schema}.${name}`))
      .filter((path) => !known.includes(path) && !isTable(path));
    if (candidates.length === 0) return;
    const states = await this.#platform.state(candidates.map((path) => checkpointKey(work.syncId, path)));
    const vanished = candidates.filter((path) => states.has(checkpointKey(work.syncId, path)));
    const isView = (path: string): boolean => listed.some((table) => table.path === path);
    const reasons = await sourceSnapshot.explainMissing(
      vanished.filter((path) => !isView(path)),
      new Set(vanished),
      signal,
    );
    for (const path of vanished) {
      const reason =
        reasons.get(path) ??
        `${path} is a view at the source now, which a star does not bring: name the view to have it instead.`;
      this.#skip(path, `${reason} ${TABLE_KEPT}`, "kept");
    }
  }

  async #runTasks(tasks: readonly TableTask[], atOnce: number): Promise<void> {
    const readers = new Semaphore(atOnce);
    let isOver = false;
    const sync = async (task: TableTask): Promise<void> => {
      if (isOver || this.#signal.aborted) return;
      const { progress, source } = task;
      try {
        await syncTable(task);
        for (const { text } of progress.warnings ?? []) void this.#platform.log("warning", `${source.path}: ${text}`);
        this.#report(
          `${source.path}: ${progress.rowsRead} rows read, ${progress.rowsWritten} written (${progress.method})`,
        );
      } catch (error) {
        if (this.#signal.aborted) return;
        this.#fail(progress, error);
        // Without the source or the platform the other tables would fail as well.
        isOver ||= endsTheRun(error);
      }
    };
    await Promise.all(tasks.map((task) => readers.run(() => sync(task))));
  }

  #fail(progress: TableProgress, error: unknown): void {
    const failure = describeSyncFailure(error);
    if (failure.code === "internal")
      console.error(
        `sync ${this.#work.syncId}, ${progress.source}:`,
        failure.cause instanceof Error ? failure.cause.message : "",
      );
    Object.assign(progress, { phase: "failed", error: shorten(failure.message) });
    this.#failed.push({ path: progress.source, error });
    void this.#platform.log("error", `${progress.source}: ${failure.message}`);
  }

  #codeOf(): Failure["code"] {
    return describeSyncFailure(this.#failed[0]!.error).code;
  }

  #whyFailed(): string {
    const waiting = this.#tables.filter(({ phase }) => phase === "waiting").length;
    const done = this.#tables.filter(({ phase }) => phase === "done").map(({ source }) => source);
    const named =
      done.slice(0, NAMED_MAX).join(", ") + (done.length > NAMED_MAX ? ` and ${done.length - NAMED_MAX} more` : "");
    const head =
      `${this.#failed.length} of ${this.#tables.length} tables ` +
      `failed${waiting > 0 ? `, and ${waiting} were not begun` : ""}. `;
    const rest = done.length > 0 ? ` The others are up to date in the lake: ${named}.` : "";
    const reasons = this.#failed.map(({ path, error }) => `${path}: ${describeSyncFailure(error).message}`).join(" ");
    return shortenTo(head + reasons, ERROR_CHARACTERS_MAX - rest.length) + rest;
  }
}

/** The end of a failure's message where a table can't be read any more. */
const TABLE_KEPT = "The lake keeps the table as it was.";
const SET_RIGHT = "Bring it back, or configure the sync without it; it fails each run until then.";
/** The most tables that a failure names as done. */
const NAMED_MAX = 10;

const nameOf = (path: string): string => path.slice(path.indexOf(".") + 1);
const shortenTo = (text: string, characters: number): string =>
  text.length > characters ? `${text.slice(0, characters - 1)}…` : text;
