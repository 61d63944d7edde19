// The sync: one view of the source, some tables at a time, a commit for each; one that fails leaves the others alone.

import { openSnapshot, type Snapshot } from "../../extract/open-snapshot.ts";
import type { Staging } from "../../extract/staging.ts";
import { Failure } from "../../failure.ts";
import type { JobOutcome, LakeTable } from "../../lake-protocol.ts";
import { foldName } from "../../lake/lake-types.ts";
import type { SyncWork } from "../../protocol.ts";
import type { JobPlatform } from "../job-platform.ts";
import { isGeneral, isRetryable, tellFailure } from "./failures.ts";
import { expandTables, listTables, type ListedTable } from "./list-tables.ts";
import { note, shorten, startProgress, tellProgress, type TableProgress } from "./progress.ts";
import type { SharedStaging } from "./shared-staging.ts";
import type { SyncRun, TableTask } from "./sync-run.ts";
import { syncTable } from "./sync-table.ts";
import { readState, stateKey } from "./table-state.ts";

/** Reading is one thread's work: more at a time only hides waiting. */
const TABLES_AT_ONCE = 2;
const ERROR_CHARACTERS_MAX = 8_000;

type Failed = { path: string; error: unknown };

export class SyncJob {
  private readonly work: SyncWork;
  private readonly platform: JobPlatform;
  private readonly signal: AbortSignal;
  private readonly say: (progress: string) => void;
  private readonly tables: TableProgress[] = [];
  private readonly failed: Failed[] = [];

  constructor(work: SyncWork, platform: JobPlatform, signal: AbortSignal, say: (progress: string) => void) {
    this.work = work;
    this.platform = platform;
    this.signal = signal;
    this.say = say;
  }

  readonly progress = () => tellProgress(this.tables);

  /** Tells the platform how it ended, and rejects with why where it did not end well. */
  async run(shared: SharedStaging): Promise<void> {
    let end: { error: unknown } | undefined;
    try {
      await shared.use((staging) => this.sync(staging));
    } catch (error) {
      end = { error: this.signal.aborted ? this.signal.reason : error };
    }
    await this.platform.finish(this.outcomeOf(end)).catch((error: unknown) => {
      end ??= { error };
    });
    if (end) throw end.error;
  }

  private outcomeOf(end: { error: unknown } | undefined): JobOutcome {
    const progress = this.progress();
    if (!end) return { outcome: "succeeded", error: null, retryable: false, progress };
    const { code, message } = tellFailure(end.error);
    const retryable = this.failed.length > 0 ? this.failed.some(({ error }) => isRetryable(error)) : isRetryable(end.error);
    const outcome = code === "cancelled" ? "cancelled" : "failed";
    return { outcome, error: message, retryable, platformAway: this.platform.wasAway, progress };
  }

  private async sync(staging: Staging): Promise<void> {
    const { work, signal } = this;
    let snapshot: Snapshot | undefined;
    try {
      this.say("Connecting to the source");
      snapshot = await openSnapshot(work.source, `fjord sync ${work.syncId}`, signal);
      this.say(snapshot.consistency);
      const tasks = await this.plan({ work, platform: this.platform, snapshot, staging, signal });
      await this.runTasks(tasks, Math.min(TABLES_AT_ONCE, snapshot.readersMax));
    } finally {
      await snapshot?.close();
    }
    signal.throwIfAborted();
    if (this.failed.length > 0) throw new Failure(this.codeOf(), this.whyFailed());
  }

  private async plan(run: SyncRun): Promise<TableTask[]> {
    const { work, snapshot, signal, platform } = run;
    const listed = await listTables(snapshot, signal);
    const { tables, missing: unlisted, unclear } = expandTables(work.tables, work.only, listed);
    const found = [...tables, ...unclear].map(({ path }) => path);
    // What a run is asked for alone may be what a star brought once.
    const missing = [...new Set([...unlisted, ...(work.only ?? []).filter((path) => !found.includes(path))])];
    const lake = new Map((await platform.tables(work.destSchema)).tables.map((table) => [foldName(table.name), table]));
    const states = await platform.state([...tables.map(({ path }) => path), ...missing].map((path) => stateKey(work.syncId, path)));
    const tasks = tables.map((source): TableTask => {
      const progress = this.begin(source.path, source.name);
      return { run, source, progress, lake: lake.get(foldName(source.name)), state: readState(states.get(stateKey(work.syncId, source.path))) };
    });
    for (const { path, reason } of unclear) this.fail(this.begin(path, path), new Failure("sql_error", reason));
    for (const path of missing) this.tellMissing(path, states.has(stateKey(work.syncId, path)));
    if (work.only === null) await this.tellVanished(run, listed, [...lake.values()], [...found, ...missing]);
    if (tasks.length === 0 && this.tables.length === 0) this.say("The source has no tables to sync.");
    return tasks;
  }

  private begin(path: string, name: string): TableProgress {
    const progress = startProgress(path, `${this.work.destSchema}.${name}`);
    this.tables.push(progress);
    return progress;
  }

  /** A table that was synced before has vanished, and keeps its rows in the lake; any other was never there. */
  private tellMissing(path: string, wasSynced: boolean): void {
    if (wasSynced) return this.tellKept(path, `${path} is gone at the source, or its role may not read it any more. The lake keeps the table as it was.`);
    this.fail(this.begin(path, nameOf(path)), new Failure("sql_error", `The source has no table ${path}, or its role may not read it.`));
  }

  private tellKept(path: string, text: string): void {
    const progress = Object.assign(this.begin(path, nameOf(path)), { phase: "skipped", method: "kept" });
    note(progress, text);
    void this.platform.log("warning", text);
  }

  /** What a star brought once and brings no more. The sync's memory of a lake table says that it was this sync's. */
  private async tellVanished({ work }: SyncRun, listed: readonly ListedTable[], lake: readonly LakeTable[], known: readonly string[]): Promise<void> {
    const schemas = new Set([...work.tables.filter((pattern) => pattern.endsWith(".*")).map((pattern) => pattern.slice(0, -2)), ...known.map((path) => path.slice(0, path.indexOf(".")))]);
    const isTable = (path: string): boolean => listed.some((table) => table.path === path && !table.isView);
    const candidates = [...schemas].flatMap((schema) => lake.map(({ name }) => `${schema}.${name}`)).filter((path) => !known.includes(path) && !isTable(path));
    if (candidates.length === 0) return;
    const states = await this.platform.state(candidates.map((path) => stateKey(work.syncId, path)));
    for (const path of candidates.filter((candidate) => states.has(stateKey(work.syncId, candidate)))) {
      if (listed.some((table) => table.path === path)) this.tellKept(path, `${path} is a view at the source now, which a star does not bring. The lake keeps the table as it was: name the view to have it instead.`);
      else this.tellMissing(path, true);
    }
  }

  private async runTasks(tasks: readonly TableTask[], atOnce: number): Promise<void> {
    const waiting = [...tasks];
    let isOver = false;
    const work = async (): Promise<void> => {
      for (let task = waiting.shift(); task && !isOver && !this.signal.aborted; task = waiting.shift()) {
        const { progress, source } = task;
        try {
          await syncTable(task);
          this.say(`${source.path}: ${progress.rowsRead} rows read, ${progress.rowsWritten} written (${progress.method})`);
        } catch (error) {
          if (this.signal.aborted) return;
          this.fail(progress, error);
          // The source or the platform is gone: the other tables would only meet the same.
          isOver ||= isGeneral(error);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  private fail(progress: TableProgress, error: unknown): void {
    const failure = tellFailure(error);
    if (failure.code === "internal") console.error(`sync ${this.work.syncId}, ${progress.source}:`, failure.cause instanceof Error ? failure.cause.message : "");
    Object.assign(progress, { phase: "failed", error: shorten(failure.message) });
    this.failed.push({ path: progress.source, error });
    void this.platform.log("error", `${progress.source}: ${failure.message}`);
  }

  private codeOf(): Failure["code"] {
    return tellFailure(this.failed[0]!.error).code;
  }

  private whyFailed(): string {
    const waiting = this.tables.filter(({ phase }) => phase === "waiting").length;
    const head = `${this.failed.length} of ${this.tables.length} tables failed${waiting > 0 ? `, and ${waiting} were not begun` : ""}. `;
    return shortenTo(head + this.failed.map(({ path, error }) => `${path}: ${tellFailure(error).message}`).join(" "), ERROR_CHARACTERS_MAX);
  }
}

const nameOf = (path: string): string => path.slice(path.indexOf(".") + 1);
const shortenTo = (text: string, characters: number): string => (text.length > characters ? `${text.slice(0, characters - 1)}…` : text);
