// The Worker's client of a container's program: what it answered itself, or a Problem that says why there is no answer.

import type { z } from "zod";
import { CONTAINER_LIMITS } from "./limits.ts";
import { Problem } from "../../core/problem.ts";
import type { Program } from "./program.ts";
import type { ProgramObject } from "./program-object.ts";
import { isUnavailableReason, describeUnavailable, UNAVAILABLE_HEADER, type UnavailableReason } from "./unavailable.ts";
import { waitFor } from "./wait-for.ts";
import { CANCEL_PATH_HEADER } from "./waiting-requests.ts";

const SHORT_MS = 5_000;
/** A program that is killed takes a while to be gone. */
const REMOVAL_MS = 60_000;
const FOREIGN_CHARACTERS_MAX = 500;

type Stub = DurableObjectStub<ProgramObject>;
type Body = string | ReadableStream | null;

export class Unavailable extends Problem {
  readonly reason: UnavailableReason;

  constructor({ name }: Program, reason: UnavailableReason, cause: unknown) {
    super(`${name}_unavailable`, describeUnavailable(name, reason), [], { cause });
    this.reason = reason;
  }
}

/**
 * `deadlineMs` bounds the wait for the answer's head; an abort of `signal` ends it too. `cancelPath` is what a DELETE
 * goes to that cancels it.
 */
export type ProgramRequest = {
  method?: "POST" | "PUT";
  path: string;
  cancelPath?: string;
  body: Body;
  deadlineMs: number;
  signal?: AbortSignal;
};

export type ProgramClient = {
  /**
   * Throws Unavailable for whatever the program did not answer itself; `lost` says it may have worked on the request.
   */
  send(request: ProgramRequest): Promise<Response>;
  /** For what may be done twice: a program that was lost while it worked is asked once more, as a new one. */
  sendAgain(path: string, body: unknown, deadlineMs: number): Promise<Response>;
  /** Undefined where the program does not run; starts none. */
  askRunning(method: "GET" | "POST" | "DELETE", path: string): Promise<Response | undefined>;
  /** What the object answers for a program that runs, as {@link askRunning} takes it. */
  receive(asked: Promise<Response | undefined>): Promise<Response | undefined>;
  /** Starts the program where it doesn't run, so that the next request finds it. Throws Unavailable where it can't. */
  wake(): Promise<void>;
  /** Whether the program can be reached. Starts none. */
  probe(): Promise<boolean>;
  /** Ends the program, whatever it works on, and forgets what is kept of it. */
  remove(): Promise<void>;
  /** What of another form is as good as no answer. */
  parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema>;
};

export function openProgramClient(stub: Stub, program: Program): ProgramClient {
  const send: ProgramClient["send"] = async ({ method = "POST", path, cancelPath, body, deadlineMs, signal }) => {
    const deadline = new AbortController();
    const timer = setTimeout(
      () => deadline.abort(new Unavailable(program, "silent", `no answer within ${deadlineMs} ms`)),
      deadlineMs,
    );
    try {
      const answer = await stub.fetch(`http://${program.name}${path}`, {
        method,
        body,
        ...(cancelPath !== undefined && { headers: { [CANCEL_PATH_HEADER]: cancelPath } }),
        signal: signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal,
      });
      await refuseForeign(program, answer);
      return answer;
    } catch (error) {
      if (signal?.aborted || error instanceof Problem) throw error;
      throw new Unavailable(program, "lost", error);
    } finally {
      clearTimeout(timer);
    }
  };
  const receive: ProgramClient["receive"] = async (asked) => {
    const answer = await waitFor(asked, { deadlineMs: SHORT_MS }).catch((error: unknown) => {
      throw new Unavailable(program, "lost", error);
    });
    if (answer) await refuseForeign(program, answer);
    return answer ?? undefined;
  };
  return {
    send,

    async sendAgain(path, body, deadlineMs) {
      const request = { path, body: JSON.stringify(body), deadlineMs };
      try {
        return await send(request);
      } catch (error) {
        if (!(error instanceof Unavailable) || (error.reason !== "lost" && error.reason !== "hung")) throw error;
        return send(request);
      }
    },

    askRunning: (method, path) => receive(stub.askRunning(method, path)),

    receive,

    async wake() {
      await waitFor(stub.wake(), { deadlineMs: CONTAINER_LIMITS.startMs + SHORT_MS }).catch((error: unknown) => {
        throw new Unavailable(program, "start", error);
      });
    },

    async probe() {
      try {
        return await waitFor(stub.probe(), { deadlineMs: SHORT_MS });
      } catch {
        return false;
      }
    },

    remove: () => waitFor(stub.remove(), { deadlineMs: REMOVAL_MS }),

    parse(schema, value) {
      const result = schema.safeParse(value);
      if (!result.success) throw new Unavailable(program, "start", result.error);
      return result.data;
    },
  };
}

/** The container class answers plain text by itself when it has no program, and one of another release misreads us. */
async function refuseForeign(program: Program, answer: Response): Promise<void> {
  const protocol = answer.headers.get(program.protocolHeader);
  if (protocol === String(program.protocol)) return;
  const reason = answer.headers.get(UNAVAILABLE_HEADER) ?? "";
  const text = (await answer.text()).slice(0, FOREIGN_CHARACTERS_MAX);
  const said =
    protocol === null
      ? `${answer.status} without the header ${program.protocolHeader}: ${text}`
      : `protocol ${protocol} instead of ${program.protocol}`;
  throw new Unavailable(
    program,
    isUnavailableReason(reason) ? reason : "start",
    new Error(`The ${program.name}'s path answered ${said}`),
  );
}
