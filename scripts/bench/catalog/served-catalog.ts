// One lake's catalog object in bare workerd, as the bench calls it: what each call took in time, CPU and memory.

import { randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LakeChange } from "../../../kernel/lake/commit.ts";
import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { valueOf, type Answer } from "../../../src/core/answer.ts";
import { CONFIG } from "../http/deployment.ts";
import { buildBundle, serveBundle } from "../http/workerd.ts";
import { cpuMs, memoryMb } from "../support/measure.ts";
import type { Program } from "../support/program.ts";
import type { Append, Call, Called, Holder, IcebergLoad, IcebergLoaded } from "./call.ts";

/** `cpuMs` is that of the whole runtime; `memoryMb` is how far its memory rose above what it was before. */
export type Measured = Called & { cpuMs: number; memoryMb: number };

const LEASE = "bench";
const LEASE_MS = 86_400_000;
const CALL_MS_MAX = 1_200_000;
/** No binding asks for D1 here, so nothing listens where it would be. */
const NO_D1_PORT = 9;

export class ServedCatalog {
  readonly #program: Program;

  private constructor(program: Program) {
    this.#program = program;
  }

  /** `folder` gets the bundle and the object's storage. */
  static async start(folder: string): Promise<ServedCatalog> {
    const bundle = join(folder, "bundle");
    await mkdir(bundle, { recursive: true });
    const config = join(folder, "wrangler.toml");
    await writeFile(config, await configuration());
    await buildBundle(config, bundle);
    return new ServedCatalog(await serveBundle(config, bundle, {}, NO_D1_PORT));
  }

  stop = (): Promise<void> => this.#program.stop();

  /** Calls a method, and answers what it answered. Throws what it threw. */
  async ask<Value>(method: string, ...given: unknown[]): Promise<Value> {
    const { answer, error } = await this.#send({ method, given, keepsAnswer: true });
    if (error !== null) throw new Error(`${method}: ${error}`);
    return answer as Value;
  }

  /** The lease under which the bench commits, for a day. */
  async takeLease(): Promise<Holder> {
    const taken = await this.ask<Answer<{ fence: number }>>("acquireLease", LEASE, LEASE, LEASE_MS);
    return { lease: LEASE, fence: valueOf(taken).fence };
  }

  releaseLease = ({ lease, fence }: Holder): Promise<boolean> => this.ask("releaseLease", lease, fence);

  head = async (): Promise<number> => (await this.ask<{ snapshotId: number }>("currentSnapshot")).snapshotId;

  async commit(change: LakeChange, holder: Holder): Promise<void> {
    valueOf(await this.ask<Answer<unknown>>("commit", commitOf(change, holder)));
  }

  overwrite = (table: LakeTableName, holder: Holder): Promise<Measured> =>
    this.measure("commit", commitOf({ kind: "overwrite", ...table, files: [] }, holder));

  append = (append: Append): Promise<Measured> => this.measure("appendFiles", append);

  /** Calls a method and drops its answer; a failure is part of what is measured. */
  measure = (method: string, ...given: unknown[]): Promise<Measured> =>
    this.#measure({ method, given, keepsAnswer: false });

  async loadIceberg(load: IcebergLoad): Promise<Measured & { answer: IcebergLoaded }> {
    const measured = await this.#measure({ method: "loadIceberg", given: [load], keepsAnswer: true });
    if (measured.error !== null) throw new Error(measured.error);
    return measured as Measured & { answer: IcebergLoaded };
  }

  async #measure(call: Call): Promise<Measured> {
    const { pid } = this.#program;
    // The peak is counted from here on, where the kernel lets us say so.
    await writeFile(`/proc/${pid}/clear_refs`, "5").catch(() => undefined);
    const [cpu, memory] = await Promise.all([cpuMs(pid), memoryMb(pid)]);
    const called = await this.#send(call);
    const [cpuAfter, memoryAfter] = await Promise.all([cpuMs(pid), memoryMb(pid)]);
    return {
      ...called,
      cpuMs: (cpuAfter ?? Number.NaN) - (cpu ?? Number.NaN),
      memoryMb: Math.max(0, (memoryAfter?.peak ?? Number.NaN) - (memory?.now ?? Number.NaN)),
    };
  }

  async #send(call: Call): Promise<Called> {
    const response = await fetch(`http://127.0.0.1:${this.#program.port}/`, {
      method: "POST",
      body: JSON.stringify(call),
      signal: AbortSignal.timeout(CALL_MS_MAX),
    });
    if (!response.ok) throw new Error(`${call.method} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Called;
  }
}

const commitOf = (change: LakeChange, holder: Holder) => ({
  ...holder,
  jobId: LEASE,
  commit: { key: randomUUID(), author: null, message: null, changes: [change] },
});

/** On the date and the flags of the platform's own Worker. */
async function configuration(): Promise<string> {
  const compatibility = (await readFile(CONFIG, "utf8")).match(/^compatibility_\w+ = .*$/gm) ?? [];
  const main = fileURLToPath(new URL("worker/catalog-worker.ts", import.meta.url));
  return [
    'name = "catalog"',
    `main = ${JSON.stringify(main)}`,
    ...compatibility,
    '[[durable_objects.bindings]]\nname = "CATALOG"\nclass_name = "CountedCatalog"',
    '[[migrations]]\ntag = "v1"\nnew_sqlite_classes = ["CountedCatalog"]',
  ].join("\n");
}
