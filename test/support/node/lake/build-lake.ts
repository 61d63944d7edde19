// A lake whose tables a doc builds: what the platform orders of an engine at a run, over real query processes and the
// real catalog.

import { copyFileSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { publishTables } from "../../../../containers/engine/lake/build/publish.ts";
import { stageDataset } from "../../../../containers/engine/stage-dataset.ts";
import { noteOfTable, readNotes } from "../../../../src/lake/writers/notes.ts";
import { claimTables, ownerOfDoc } from "../../../../src/lake/writers/owners.ts";
import type {
  BuildMode,
  PublishAnswer,
  ReadableStage,
  StageAnswer,
  StageRequest,
  TableTest,
  TestSeverity,
  Watermark,
} from "../../../../kernel/wire/builds.ts";
import { WriteLake } from "./write-lake.ts";

const DOC_ID = "doc-1";

export type BuiltDataset = {
  table: string;
  sql?: string;
  /** A Parquet file on this machine, in the place of SQL. */
  frame?: string;
  mode?: BuildMode;
  key?: string[];
  incremental?: string;
  /** Keys of the datasets whose rows it reads. */
  needs?: string[];
  tests?: (TableTest & { severity?: TestSeverity })[];
};

export type RunOptions = { runId?: string; signal?: AbortSignal };

/** The notes that a publishing expects, and where it puts its tests' results, where the test says. */
type Published = { expects?: Note[]; testsUrl?: string };

export class BuildLake {
  readonly write: WriteLake;
  #runs = 0;

  private constructor(write: WriteLake) {
    this.write = write;
  }

  static async open(): Promise<BuildLake> {
    return new BuildLake(await WriteLake.open());
  }

  close = (): Promise<void> => this.write.close();

  newRun = (): string => `run-${++this.#runs}`;

  /** A whole run: each dataset staged in its order, then all of them published. */
  async run(datasets: Record<string, BuiltDataset>, options: RunOptions = {}): Promise<PublishAnswer> {
    const runId = options.runId ?? this.newRun();
    const stages = await this.stageAll(datasets, { ...options, runId });
    return this.publish(datasets, stages, { ...options, runId });
  }

  async stageAll(
    datasets: Record<string, BuiltDataset>,
    { runId = this.newRun(), signal }: RunOptions = {},
  ): Promise<StageAnswer[]> {
    const stages: StageAnswer[] = [];
    for (const [key, dataset] of Object.entries(datasets)) {
      const earlier = stages.filter(({ staged }) => (dataset.needs ?? []).includes(staged.dataset));
      stages.push(await this.stage(key, dataset, { runId, earlier, signal }));
    }
    return stages;
  }

  async stage(
    key: string,
    dataset: BuiltDataset,
    { runId, earlier, signal }: { runId: string; earlier: StageAnswer[]; signal?: AbortSignal | undefined },
  ): Promise<StageAnswer> {
    const request: StageRequest = {
      ...this.#order(`${runId}/${key}`, runId),
      dataset: key,
      rows:
        dataset.frame === undefined
          ? { sql: dataset.sql! }
          : { frame: { url: this.#put(dataset.frame), bytes: statSync(dataset.frame).size } },
      target: targetOf(dataset),
      watermark: dataset.incremental ? { column: dataset.incremental, since: this.#since(dataset) } : null,
      earlier: earlier.map((stage) => this.#readable(stage)),
    };
    return stageDataset(request, this.write.lake, signal ?? new AbortController().signal);
  }

  async publish(
    datasets: Record<string, BuiltDataset>,
    stages: readonly StageAnswer[],
    { runId = this.newRun(), signal = new AbortController().signal, ...given }: RunOptions & Published = {},
  ): Promise<PublishAnswer> {
    claimTables(
      this.write.platform.storage as unknown as DurableObjectStorage,
      { owner: ownerOfDoc(DOC_ID), name: "Shop" },
      stages.map(({ staged: { target } }) => target),
    );
    const followed = stages.filter(({ staged }) => datasets[staged.dataset]!.incremental !== undefined);
    const noteOf = ({ staged }: StageAnswer): string => `build/${staged.target.name}`;
    const request = {
      ...this.#order(runId, runId),
      stages: stages.map((stage) => this.#readable(stage)),
      tests: Object.entries(datasets).flatMap(([dataset, { tests = [] }]) =>
        tests.map(({ severity = "error", ...test }, index) => ({ dataset, index, severity, test: test as TableTest })),
      ),
      expects: given.expects ?? this.notes(datasets),
      state: [
        ...stages.map(({ staged }) => ({ key: `published/${staged.target.name}`, value: runId })),
        ...followed.map((stage) => ({ key: noteOf(stage), value: JSON.stringify(stage.staged.watermark) })),
      ],
      testsUrl: given.testsUrl ?? `${this.write.platform.url}/bucket/tests/${runId}`,
      message: "Built by a test",
    };
    return publishTables(request, this.write.lake, signal);
  }

  /** The notes of the datasets' watermarks as they are. */
  notes(datasets: Record<string, BuiltDataset>): Note[] {
    const keys = Object.values(datasets)
      .filter(({ incremental }) => incremental !== undefined)
      .map(({ table }) => `build/${targetOf({ table }).name}`);
    return Object.entries(readNotes(this.write.platform.storage.sql, keys)).map(([key, value]) => ({ key, value }));
  }

  watermark(table: string): Watermark | null {
    const key = `build/${targetOf({ table }).name}`;
    const note = readNotes(this.write.platform.storage.sql, [key])[key] ?? null;
    return note === null ? null : (JSON.parse(note) as Watermark | null);
  }

  #since({ table }: BuiltDataset): Watermark | null {
    const target = targetOf({ table });
    const keys = { key: `build/${target.name}`, beside: `published/${target.name}` };
    const { note, isOfTable } = noteOfTable(this.write.platform.storage.sql, keys, target);
    return isOfTable ? (JSON.parse(note!) as Watermark | null) : null;
  }

  #order(statementId: string, runId: string) {
    const writer = { statementId: `doc/${DOC_ID}/${statementId}`, jobId: runId, actor: ownerOfDoc(DOC_ID) };
    return { id: statementId, sender: "ada", lake: this.write.platform.grantOf(writer), deadlineMs: 60_000 };
  }

  #readable = ({ staged }: StageAnswer): ReadableStage => ({
    staged,
    urls: staged.files.map(({ path }) => `${this.write.platform.url}/bucket/${path}`),
  });

  /** The address of a file once it is in the bucket. */
  #put(file: string): string {
    const path = `frames/${file.replaceAll(/\W/g, "-")}.parquet`;
    const { bucket } = this.write.platform;
    mkdirSync(join(bucket, "frames"), { recursive: true });
    copyFileSync(file, join(bucket, path));
    return `${this.write.platform.url}/bucket/${path}`;
  }
}

type Note = { key: string; value: string | null };

function targetOf({ table, mode = "replace", key = [] }: Pick<BuiltDataset, "table" | "mode" | "key">) {
  const [name, schema = "main"] = table.split(".").reverse();
  return { schema, name: name!, mode, key };
}
