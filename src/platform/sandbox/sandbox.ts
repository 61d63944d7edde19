// The Worker's client of a team's sandbox: typed requests in, parsed answers or Problems out.

import {
  EnvelopeReport,
  RunReport,
  RunStatus,
  SandboxFailure,
  type RunOrder,
  type SandboxFailureCode,
} from "../../../kernel/wire/sandbox.ts";
import { CONTAINER_LIMITS } from "../container/limits.ts";
import { Problem, type ProblemCode } from "../../core/problem.ts";
import { openProgramClient, Unavailable, type ProgramClient } from "../container/client.ts";
import { waitFor } from "../container/wait-for.ts";
import { SANDBOX } from "./sandbox-object.ts";

/** What a call may take beyond its own deadline: time to start the sandbox, and for its last reports. */
const slackMs = CONTAINER_LIMITS.startMs + 90_000;
const ENVELOPE_MS = 300_000;
/** Deadline of a request that the sandbox only accepts: three times what its start takes. */
const START_MS = 3 * CONTAINER_LIMITS.startMs;

export type Sandbox = {
  /**
   * Sends a webhook's body on as it streams in; nothing runs yet. Null: there is none, and the report says so.
   * Rejects with `validation_failed` and flaws, `body_too_large`, or `sandbox_unavailable`.
   */
  putEnvelope(runId: string, body: ReadableStream<Uint8Array> | null): Promise<EnvelopeReport>;
  /**
   * Runs datasets and answers when the run has ended. Rejects with `sandbox_unavailable`: by its `reason` "lost",
   * "hung" or "silent" the run may be going on; otherwise, and for any other Problem, nothing runs. An abort ends the
   * wait, not the run.
   */
  run(order: RunOrder, signal: AbortSignal): Promise<RunReport>;
  /**
   * Runs datasets, and answers as soon as the sandbox has the order. The run asks whether it is still wanted before it
   * does anything, so the order of one that was given up in the meantime does nothing.
   */
  start(order: RunOrder): Promise<void>;
  /** What the sandbox knows of a run; undefined where it knows nothing, or sleeps. Starts none. */
  getRun(runId: string): Promise<RunStatus | undefined>;
  /** False when no such run is there. Starts no sandbox. */
  cancelRun(runId: string): Promise<boolean>;
  /** Starts the sandbox where it doesn't run. Rejects with `sandbox_unavailable`. */
  wake(): Promise<void>;
  /** Whether the sandbox can be reached. Starts none. */
  probe(): Promise<boolean>;
  /** Ends the sandbox, whatever it runs, and forgets what is kept of it. */
  remove(): Promise<void>;
};

export function openSandbox(env: Pick<Env, "SANDBOX">, teamId: string): Sandbox {
  const program = openProgramClient(env.SANDBOX.getByName(teamId), SANDBOX);
  return {
    async putEnvelope(runId, body) {
      const answer = await program.send({
        method: "PUT",
        path: `${pathOf(runId)}/envelope`,
        body: body ?? "{}",
        deadlineMs: ENVELOPE_MS,
      });
      if (!answer.ok) throw await problemOf(program, answer);
      return program.parse(EnvelopeReport, await answer.json());
    },

    async run(order, signal) {
      const deadlineMs = order.deadlineMs + slackMs;
      const answer = await program.send({ path: pathOf(order.runId), body: JSON.stringify(order), deadlineMs, signal });
      if (!answer.ok) throw await problemOf(program, answer);
      const report = RunReport.safeParse(await readReport(answer, deadlineMs, signal));
      if (!report.success) throw new Unavailable(SANDBOX, "lost", report.error);
      return report.data;
    },

    async start(order) {
      const path = `${pathOf(order.runId)}/start`;
      const answer = await program.send({ path, body: JSON.stringify(order), deadlineMs: START_MS });
      if (!answer.ok) throw await problemOf(program, answer);
      await answer.body?.cancel();
    },

    async getRun(runId) {
      const answer = await program.askRunning("GET", pathOf(runId));
      if (!answer || answer.status === 404) return undefined;
      if (!answer.ok) throw await problemOf(program, answer);
      return program.parse(RunStatus, await answer.json());
    },

    async cancelRun(runId) {
      const answer = await program.askRunning("DELETE", pathOf(runId));
      if (!answer || answer.status === 404) return false;
      if (!answer.ok) throw await problemOf(program, answer);
      await answer.body?.cancel();
      return true;
    },

    wake: () => program.wake(),
    probe: () => program.probe(),
    remove: () => program.remove(),
  };
}

const pathOf = (runId: string): string => `/runs/${encodeURIComponent(runId)}`;

/**
 * White space comes first, for as long as the run takes; a body that breaks off before the report may be of a run that
 * goes on.
 */
async function readReport(answer: Response, deadlineMs: number, signal: AbortSignal): Promise<unknown> {
  const late = () => new Unavailable(SANDBOX, "silent", `no report within ${deadlineMs} ms`);
  try {
    return await waitFor(answer.json(), { deadlineMs, signal, late });
  } catch (error) {
    if (signal.aborted || error instanceof Problem) throw error;
    throw new Unavailable(SANDBOX, "lost", error);
  }
}

const CODES: Record<SandboxFailureCode, ProblemCode> = {
  // The Worker speaks to the sandbox by schema, as the holder of its secret: either failure is a fault of ours.
  bad_request: "internal_error",
  unauthorized: "sandbox_unavailable",
  internal: "internal_error",
  envelope_refused: "validation_failed",
  body_too_large: "body_too_large",
  // The sandbox that took the envelope is gone, and the one in its place knows nothing of it.
  not_found: "sandbox_unavailable",
  conflict: "resource_conflict",
  busy: "sandbox_unavailable",
  stopping: "sandbox_unavailable",
  jail_refused: "sandbox_unavailable",
};

async function problemOf(program: ProgramClient, answer: Response): Promise<Problem> {
  const { code, message, flaws } = program.parse(SandboxFailure, await answer.json());
  return new Problem(CODES[code], message, flaws);
}
