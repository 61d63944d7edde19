// The datasets of a run leave results for those that need them: on this disk, and in the team's storage.

import { join } from "node:path";
import type { ObjectStore } from "../../program/object-store.ts";
import { PlatformRefusal } from "../../program/platform-client.ts";
import type { DatasetReport } from "../../../kernel/wire/sandbox.ts";
import type { InputKind } from "../processes/worker-process.ts";
import type { RunPlatform } from "./run-platform.ts";

const CONTENT_TYPES = {
  frame: "application/vnd.apache.arrow.stream",
  records: "application/vnd.apache.arrow.stream",
  json: "application/json",
} as const;

const PARQUET = "application/vnd.apache.parquet";

/** The files are the parent's; there are none where there is nothing. */
type DatasetOutput = { kind: InputKind; files: string[] };
type OutputsOptions = { directory: string; platform: RunPlatform; store: ObjectStore; signal: AbortSignal };

export class DatasetOutputs {
  readonly #options: OutputsOptions;
  readonly #outputs = new Map<string, DatasetOutput>();

  constructor(options: OutputsOptions) {
    this.#options = options;
  }

  newFile(): string {
    return join(this.#options.directory, crypto.randomUUID());
  }

  /** The output of a dataset that has succeeded. */
  get(key: string): DatasetOutput {
    const output = this.#outputs.get(key);
    if (!output) throw new Error(`${key} has no output.`);
    return output;
  }

  keepNothing(key: string): void {
    this.#outputs.set(key, { kind: "none", files: [] });
  }

  /** Rows that are staged in the lake; files are here where another dataset reads them. */
  keepTable(key: string, kind: "table" | "answer_table", files: string[]): void {
    this.#outputs.set(key, { kind, files });
  }

  /** Brings a staged file here. */
  async fetch(object: { url: string; bytes: number }): Promise<string> {
    const { store, signal } = this.#options;
    const file = this.newFile();
    await store.download({ ...object, file, signal });
    return file;
  }

  /** Uploads a frame from which a table is staged. */
  async uploadFrame(executionId: string, file: string, bytes: number): Promise<void> {
    const { platform, store, signal } = this.#options;
    const { url } = await platform.openResult({ executionId, contentType: PARQUET, bytes });
    await store.upload({ url, file, bytes, signal });
  }

  /** Keeps a result for its dependents, uploads it, and writes where it is into the report. */
  async keep(report: DatasetReport, output: { kind: InputKind; file: string }): Promise<void> {
    const { platform, store, signal } = this.#options;
    const { executionId } = report;
    const result = report.result!;
    const contentType = CONTENT_TYPES[result.kind as keyof typeof CONTENT_TYPES];
    try {
      const { path, url } = await platform.openResult({ executionId, contentType, bytes: result.bytes });
      await store.upload({ url, file: output.file, bytes: result.bytes, signal });
      result.path = path;
    } catch (error) {
      // The platform's refusal is for people, and so is why the run ends; an error of the store or the network is not.
      signal.throwIfAborted();
      if (error instanceof PlatformRefusal) throw error;
      throw new Error("The dataset has run, but its result could not be stored.", { cause: error });
    }
    this.#outputs.set(report.key, { kind: output.kind, files: [output.file] });
  }
}
