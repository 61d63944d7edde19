// A job's own routes on the platform: where to upload, the one commit, and signs of life.

import { unknown, type infer as Infer, type ZodType } from "zod";
import { Failure } from "../failure.ts";
import { CommitAnswer, HeartbeatAnswer, UploadAnswer, type LakeCommit, type LogRequest } from "../lake-protocol.ts";
import type { LakeEnvironment } from "../lake/lake.ts";
import { upload } from "../lake/object-store.ts";
import { askPlatform } from "../lake/platform.ts";
import type { JobRequest } from "../protocol.ts";

const LOG_CHARACTERS_MAX = 4_096;
type LogLine = Infer<typeof LogRequest>["lines"][number];

export class JobPlatform {
  private readonly env: LakeEnvironment;
  private readonly job: JobRequest;
  private readonly signal: AbortSignal;

  constructor(env: LakeEnvironment, job: JobRequest, signal: AbortSignal) {
    this.env = env;
    this.job = job;
    this.signal = signal;
  }

  /** Fresh places in the lake for one file each of `tables`, in their order. */
  async uploads(tables: Array<{ schema: string; name: string }>): Promise<Array<{ path: string; url: string }>> {
    return (await this.ask("uploads", { tables }, UploadAnswer)).uploads;
  }

  async upload(url: string, file: string, bytes: number): Promise<void> {
    await upload(url, this.env.s3Dial, file, bytes, this.signal);
  }

  async commit(commit: LakeCommit): Promise<CommitAnswer> {
    return this.ask("commit", commit, CommitAnswer);
  }

  /** Rejects where the platform has given the job up. */
  async heartbeat(): Promise<void> {
    const { cancelled } = await this.ask("heartbeat", {}, HeartbeatAnswer);
    if (cancelled) throw new Failure("cancelled", "The job was cancelled, or another has taken over.");
  }

  /** Tells people what happens; a line that does not get through is lost, the job goes on. */
  async log(level: LogLine["level"], message: string): Promise<void> {
    const lines: LogLine[] = [{ level, message: message.slice(0, LOG_CHARACTERS_MAX) }];
    await this.ask("log", { lines }, unknown()).catch(() => undefined);
  }

  private ask<T>(verb: string, body: unknown, answer: ZodType<T>): Promise<T> {
    return askPlatform(this.env.platformUrl, `/internal/jobs/${encodeURIComponent(this.job.id)}/${verb}`, this.job.token, body, answer, this.signal);
  }
}
