// The steps that write files anew: group by group as the platform plans them, two at a time, so that one is fetched
// while another is written. A table that can't be worked on leaves the others alone.

import { Failure } from "../../core/failure.ts";
import type { LakeColumn } from "../../../../kernel/lake/lake.ts";
import type { CompactionGroup, CompactionPlan } from "../../../../kernel/lake/maintenance.ts";
import { Semaphore } from "../../../program/semaphore.ts";
import { describeFailure, isConflict, isRetryable } from "../failures.ts";
import { isPlatformGone } from "./failures.ts";
import {
  shorten,
  type CompactionStep,
  type ProgressReport,
  type StepProgress,
  type TableProgress,
} from "./progress.ts";
import { bytesOf, liveRows, rewriteGroup, type Rewriting, type Rewritten } from "./rewrite-group.ts";

const GROUPS_AT_ONCE = 2;
/** Pages of the plan in one pass over the lake's tables. */
const PAGES_MAX = 10_000;
/** Passes of one step: files that one pass has merged may be small enough to be merged again. */
const PASSES_MAX = 8;
/** Groups of a table that fail before the table is given up for this step. */
const FAILURES_MAX = 3;

export type Compaction = Rewriting & {
  report: ProgressReport;
  /** Takes a line for the run's log. */
  log: (level: "info" | "warning" | "error", line: string) => void;
};

/** Compacts every table, whether or not others fail. Rejects with the first failure that counts. */
export async function compactTables(
  compaction: Compaction,
  progress: StepProgress & { step: CompactionStep },
): Promise<void> {
  const step = new CompactionRun(compaction, progress);
  for (let pass = 0; pass < PASSES_MAX; pass++) if (!(await step.pass())) break;
  step.end();
}

class CompactionRun {
  readonly #compaction: Compaction;
  readonly #progress: StepProgress & { step: CompactionStep };
  readonly #failures = new Map<TableProgress, unknown[]>();

  constructor(compaction: Compaction, progress: StepProgress & { step: CompactionStep }) {
    this.#compaction = compaction;
    this.#progress = progress;
  }

  /** Goes over the lake's tables once. Answers whether any file was written anew. */
  async pass(): Promise<boolean> {
    const { platform } = this.#compaction;
    const { step } = this.#progress;
    const doneBefore = this.#progress.done;
    let after: string | undefined;
    for (let page = 0; page < PAGES_MAX; page++) {
      const plan = await platform.planCompaction(after === undefined ? { step } : { step, after });
      for (const { reason, ...name } of plan.leftAlone) this.#leaveAlone(this.#tableOf(name), reason);
      await this.#rewriteAll(plan);
      if (plan.next === null) return this.#progress.done > doneBefore;
      after = plan.next;
    }
    throw new Failure("busy", "There are more files to write anew than one run does; the next one goes on.");
  }

  /** Throws what failed. */
  end(): void {
    const { report } = this.#compaction;
    const { step } = this.#progress;
    const tables = report.tablesOf(step);
    for (const table of tables) if (table.state === "running") table.state = "done";
    const failures = [...this.#failures];
    // A failure that another attempt may mend decides whether the step is tried again.
    const worst = failures.find(([, [error]]) => isRetryable(error)) ?? failures[0];
    if (!worst) return;
    const reasons = failures.map(([{ schema, name }, [error]]) => `${schema}.${name}: ${messageOf(error)}`);
    const head = `${this.#failures.size} of ${tables.length} tables could not be worked on. `;
    const [, [cause]] = worst;
    throw new Failure(describeFailure(cause).code, head + reasons.join(" "), { cause });
  }

  async #rewriteAll(plan: CompactionPlan): Promise<void> {
    const columns = await this.#columnsOf(plan);
    const bases = new Map(plan.groups.map(({ tableId }) => [tableId, { snapshotId: plan.snapshotId }]));
    const atOnce = new Semaphore(GROUPS_AT_ONCE);
    let end: { error: unknown } | undefined;
    const rewrite = async (group: CompactionGroup): Promise<void> => {
      const { signal } = this.#compaction;
      const table = this.#tableOf(group);
      if (end || signal.aborted || !this.#isOpen(table)) return;
      const known = columns.get(group.tableId);
      if (!known) return this.#leaveAlone(table, "It was dropped in the meantime.");
      try {
        const base = bases.get(group.tableId)!;
        const planned = { group, columns: known, snapshotId: plan.snapshotId, base };
        this.#count(table, group, await rewriteGroup(this.#compaction, planned));
      } catch (error) {
        if (signal.aborted) return;
        if (isPlatformGone(error)) end ??= { error };
        else if (isConflict(error)) this.#leaveAlone(table, messageOf(error));
        else this.#fail(table, error);
      }
    };
    await Promise.all(plan.groups.map((group) => atOnce.run(() => rewrite(group))));
    this.#compaction.signal.throwIfAborted();
    if (end) throw end.error;
    for (const table of new Set(plan.groups.map((group) => this.#tableOf(group)))) this.#logFigures(table);
  }

  /** The present columns of the plan's tables. Their files may have been written under other columns. */
  async #columnsOf({ groups }: CompactionPlan): Promise<Map<number, readonly LakeColumn[]>> {
    const found = new Map<number, readonly LakeColumn[]>();
    for (const schema of new Set(groups.map(({ schema }) => schema)))
      for (const { tableId, columns } of (await this.#compaction.platform.tables(schema)).tables)
        found.set(tableId, columns);
    return found;
  }

  #tableOf = (name: { schema: string; name: string }): TableProgress =>
    this.#compaction.report.table(this.#progress.step, name);

  #isOpen = (table: TableProgress): boolean =>
    table.state !== "left_alone" && (this.#failures.get(table)?.length ?? 0) < FAILURES_MAX;

  #count(table: TableProgress, group: CompactionGroup, { files, bytes, rows }: Rewritten): void {
    table.filesBefore += group.files.length;
    table.filesAfter += files;
    table.bytesBefore += bytesOf(group);
    table.bytesAfter += bytes;
    table.rowsBefore += liveRows(group);
    table.rowsAfter += rows;
    this.#progress.done += group.files.length;
    this.#progress.files += files;
    this.#progress.bytes += bytes;
  }

  /** The table is left alone once, although each of its groups comes up again. */
  #leaveAlone(table: TableProgress, reason: string): void {
    if (!this.#isOpen(table)) return;
    Object.assign(table, { state: "left_alone", note: shorten(reason) });
    this.#compaction.log("warning", `${table.schema}.${table.name} is left alone: ${reason}`);
  }

  #fail(table: TableProgress, error: unknown): void {
    const failure = describeFailure(error);
    if (failure.code === "internal") console.error(`maintenance, ${table.schema}.${table.name}:`, error);
    this.#failures.set(table, [...(this.#failures.get(table) ?? []), error]);
    Object.assign(table, { state: "failed", note: shorten(failure.message) });
    this.#compaction.log("error", `${table.schema}.${table.name}: ${failure.message}`);
  }

  #logFigures({ schema, name, filesBefore, filesAfter, bytesBefore, bytesAfter, rowsAfter }: TableProgress): void {
    if (filesBefore === 0) return;
    this.#compaction.log(
      "info",
      `${schema}.${name}: ${filesBefore} files (${sizeOf(bytesBefore)}) became ${filesAfter} (${sizeOf(bytesAfter)}), ` +
        `${rowsAfter} rows`,
    );
  }
}

const messageOf = (error: unknown): string => describeFailure(error).message;

const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.round(bytes / 1024 / 1024)} MiB`;
