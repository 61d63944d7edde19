// A statement's permission to write: asked of the platform, and valid for one commit.

import { unknown } from "zod";
import { Failure } from "../../core/failure.ts";
import { JobPlatform } from "../../platform/job-platform.ts";
import { PartUploads } from "../../platform/part-uploads.ts";
import type { Phases } from "../../core/phases.ts";
import type {
  CommitAnswer,
  LakeChange,
  LakeCommit,
  NewDataFile,
  UploadTarget,
} from "../../../../kernel/lake/commit.ts";
import type { LakeGrant } from "../../../../kernel/wire/engine.ts";
import type { EngineFailureCode } from "../../../../kernel/wire/failures.ts";
import { WriterAnswer, type WriterRequest } from "../../../../kernel/lake/writer.ts";
import { PlatformRefusal } from "../../../program/platform-client.ts";
import { askPlatform, type PlatformAddress } from "../../platform/ask-platform.ts";
import type { LocalFile } from "../process/write-work.ts";

/**
 * The time for a commit. A commit that was sent is awaited even where the statement is cancelled meanwhile: it may have
 * succeeded.
 */
const COMMIT_MS = 60_000;
const END_MS = 10_000;
const MESSAGE_CHARACTERS_MAX = 1_000;

export class Writer {
  /** The grant to read the lake as it is now. */
  readonly grant: LakeGrant;
  readonly columnIdLast: number;
  readonly root: string;
  readonly #env: PlatformAddress;
  readonly #leave: WriterAnswer;
  readonly #phases: Phases;

  private constructor(env: PlatformAddress, grant: LakeGrant, leave: WriterAnswer, phases: Phases) {
    this.#env = env;
    this.#leave = leave;
    this.#phases = phases;
    this.root = leave.root;
    this.grant = { ...grant, snapshotId: leave.snapshotId, token: leave.lakeToken };
    this.columnIdLast = leave.columnIdLast;
  }

  /**
   * Asks for permission. Rejects with `forbidden` for a caller who may only read, `conflict` where the table is a
   * sync's, and `quota_exceeded` where the plan allows no more data.
   */
  static async open(
    env: PlatformAddress,
    grant: LakeGrant,
    statement: WriterRequest,
    { phases, signal }: { phases: Phases; signal: AbortSignal },
  ): Promise<Writer> {
    const access = { platformUrl: env.platformUrl, token: grant.token };
    const path = `/internal/lakes/${encodeURIComponent(grant.lakeId)}/writers`;
    const ask = (): Promise<WriterAnswer> =>
      askPlatform(access, { path, body: statement, answer: WriterAnswer, signal });
    return new Writer(env, grant, await phases.time("describe", ask).catch(refused), phases);
  }

  /**
   * Ends the writer's permission. It is called where a statement fails; otherwise an abandoned statement would keep its
   * table from maintenance until its token expires. Never rejects.
   */
  static async end(env: PlatformAddress, { lakeId, token }: LakeGrant): Promise<void> {
    const path = `/internal/lakes/${encodeURIComponent(lakeId)}/writers/end`;
    const request = { path, body: {}, answer: unknown(), signal: AbortSignal.timeout(END_MS) };
    await askPlatform({ platformUrl: env.platformUrl, token }, request).catch(() => undefined);
  }

  /** Uploads files of a table, and answers them in their order. The local ones are removed. */
  async upload(
    { schema, name, isNew }: UploadTarget,
    files: readonly LocalFile[],
    signal: AbortSignal,
  ): Promise<NewDataFile[]> {
    const target = { schema, name, isNew };
    const uploads = new PartUploads(new JobPlatform(this.#env, this.#job, signal), target, () => undefined);
    try {
      return await this.#phases.time("commit", async () => {
        for (const file of files) await uploads.add(file);
        return uploads.end();
      });
    } catch (error) {
      return refused(error);
    } finally {
      await uploads.settle();
    }
  }

  /**
   * One snapshot, made from the snapshot `baseSnapshotId`, and `notes` with it. Rejects with `conflict` where another
   * commit since then conflicts with it.
   */
  async commit(
    sql: string,
    changes: LakeChange[],
    baseSnapshotId: number,
    notes: Pick<LakeCommit, "state" | "expects"> = {},
  ): Promise<CommitAnswer> {
    const { key, author, actor } = this.#leave;
    const platform = new JobPlatform(this.#env, this.#job, AbortSignal.timeout(COMMIT_MS));
    const message =
      sql.length > MESSAGE_CHARACTERS_MAX ? `${sql.slice(0, MESSAGE_CHARACTERS_MAX - 1).toWellFormed()}…` : sql;
    const commit = { key, author, message, actor, baseSnapshotId, changes, ...notes };
    return this.#phases.time("commit", () => platform.commit(commit)).catch(refused);
  }

  get #job(): { id: string; token: string } {
    return { id: this.#leave.jobId, token: this.#leave.token };
  }
}

/** The catalog's refusals keep their own words; other errors are unchanged. */
function refused(error: unknown): never {
  const { cause } = error as { cause?: unknown };
  const code = cause instanceof PlatformRefusal ? REFUSALS[cause.status] : undefined;
  throw code ? new Failure(code, (cause as PlatformRefusal).message, { cause }) : error;
}

const REFUSALS: Record<number, EngineFailureCode> = {
  403: "forbidden",
  409: "conflict",
  422: "sql_error",
  426: "quota_exceeded",
};
