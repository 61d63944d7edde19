// A job's signs of life: its progress soon after it has changed, and a heartbeat when it has not.

import type { JobProgress } from "../../../kernel/jobs/job.ts";
import { Failure } from "../core/failure.ts";

export const HEARTBEAT_MS = 10_000;
/** How soon progress is sent to the platform, where people watch the run. */
const PROGRESS_MS = 2_000;
/** A message twice as long is sent half as often: this many characters are the progress of some four hundred tables. */
const PROGRESS_CHARACTERS = 100_000;
/**
 * The platform's lease of a job is 60 s: after this long without an answer the job is given up, as another may have
 * taken over.
 */
const SILENCE_MS_MAX = 55_000;
/** Timers come a little early or late. */
const SLACK_MS = 100;

type Heartbeat = {
  send(progress: JobProgress | undefined): Promise<void>;
  progress(): JobProgress | undefined;
  /** Aborted where the job was given up: the platform said so, or has not answered for too long. */
  job: AbortController;
};

/** Sends heartbeats until the returned function is called. A heartbeat that fails is made up for by a later one. */
export function startHeartbeat({ send, progress, job }: Heartbeat): () => void {
  let answeredAt = performance.now();
  let isSending = false;
  let [sentAt, sentText, waitMs] = [-Infinity, "", PROGRESS_MS];
  const sendIfDue = async (): Promise<void> => {
    const silentMs = performance.now() - sentAt;
    if (isSending || silentMs < waitMs - SLACK_MS) return;
    const current = progress();
    const text = JSON.stringify(current) ?? "";
    if (text === sentText && silentMs < HEARTBEAT_MS - SLACK_MS) return;
    waitMs = Math.min(HEARTBEAT_MS, PROGRESS_MS * Math.max(1, text.length / PROGRESS_CHARACTERS));
    isSending = true;
    sentAt = performance.now();
    try {
      await send(current);
      sentText = text;
      answeredAt = performance.now();
    } catch (error) {
      const isGivenUp = error instanceof Failure && error.code === "cancelled";
      if (isGivenUp || performance.now() - answeredAt > SILENCE_MS_MAX) job.abort(error);
    } finally {
      isSending = false;
    }
  };
  void sendIfDue();
  const timer = setInterval(() => void sendIfDue(), PROGRESS_MS / 2);
  return () => clearInterval(timer);
}
