// A sync job on a bench: real sources, the engine's own jobs, and a lake behind a stand-in of the platform.

import { afterAll, expect } from "vitest";
import { Jobs } from "../../../../containers/engine/jobs/jobs.ts";
import { workKinds } from "../../../../containers/engine/jobs/work-kinds.ts";
import { readLakeSettings } from "../../../../containers/engine/core/settings.ts";
import type { SyncOutcome } from "../../../../kernel/jobs/job.ts";
import type { SyncProgress } from "../../../../kernel/jobs/progress.ts";
import type { SyncWork } from "../../../../kernel/jobs/work.ts";
import type { Source } from "../../../../kernel/wire/source.ts";
import { TestLake } from "../lake/test-lake.ts";

export type Ran = SyncOutcome & { table(source: string): SyncProgress["tables"][number] };

let lakeOfFile: TestLake | undefined;
afterAll(() => lakeOfFile?.close());

export class SyncBench {
  readonly lake: TestLake;
  readonly jobs: Jobs;
  readonly #source: Source;
  #runs = 0;
  #snapshots = 1_000;

  private constructor(lake: TestLake, source: Source, rangeRows?: number) {
    this.lake = lake;
    this.#source = source;
    this.jobs = new Jobs(
      { platformUrl: lake.platform.url, s3Dial: lake.platform.host },
      workKinds(readLakeSettings(), rangeRows),
    );
  }

  /** One at a time: all of a test file stand on the same lake, made anew for each. `rangeRows`: of MySQL's ranges. */
  static async open(source: Source, rangeRows?: number): Promise<SyncBench> {
    lakeOfFile ??= await TestLake.open();
    await lakeOfFile.renew();
    return new SyncBench(lakeOfFile, source, rangeRows);
  }

  async close(): Promise<void> {
    await this.jobs.stop();
  }

  get platform() {
    return this.lake.platform;
  }

  /** Starts a run; answers its job's id. */
  start(more: Partial<SyncWork> & Pick<SyncWork, "tables">): string {
    const run = ++this.#runs;
    const work: SyncWork = {
      kind: "sync",
      lakeId: "lake-1",
      source: this.#source,
      destSchema: "main",
      loadMethod: "merge",
      cursors: {},
      appendFullRows: false,
      full: false,
      only: null,
      syncId: "sync-1",
      runId: `run-${run}`,
      attempt: 1,
      ...more,
    };
    this.jobs.start({ id: `job-${run}`, token: "token", work });
    return `job-${run}`;
  }

  /** What the job reported to the platform as it ended. */
  async ended(job: string): Promise<Ran> {
    const before = this.platform.outcomes.length;
    await expect.poll(() => this.jobs.get(job)?.state, { timeout: 150_000, interval: 20 }).not.toBe("running");
    const outcome = this.platform.outcomes.at(-1);
    if (!outcome) throw new Error(`the job said nothing of its end (${before})`);
    const table = (source: string) => {
      const found = outcome.progress.tables.find((each) => each.source === source);
      if (!found) throw new Error(`nothing was reported of ${source}: ${JSON.stringify(outcome.progress)}`);
      return found;
    };
    return { ...outcome, table };
  }

  run(more: Parameters<SyncBench["start"]>[0]): Promise<Ran> {
    return this.ended(this.start(more));
  }

  /** What the lake answers now. */
  rows(sql: string): Promise<Array<Record<string, unknown>>> {
    return this.lake.rows(sql, { grant: { snapshotId: ++this.#snapshots } });
  }

  /** Rows of text, in order. */
  async texts(sql: string): Promise<unknown[][]> {
    return (await this.rows(sql)).map((row) => Object.values(row));
  }
}
