// The engine as a client of the platform's internal routes.

import { setTimeout as delay } from "node:timers/promises";
import type { ZodType } from "zod";
import { Failure } from "../core/failure.ts";

/** Where an engine reaches the platform; `s3Dial` as `S3_DIAL` of the contract's `EngineEnvironment`. */
export type PlatformAddress = { platformUrl: string; s3Dial: string };

const ANSWER_MS = 15_000;
const ATTEMPTS = 3;
const BACKOFF_MS = 150;

/**
 * POSTs `body` to an internal route and parses the answer. Tries again on 5xx and broken connections: every route is
 * idempotent (a commit by its key). Rejects with `platform_unavailable`, whose cause says more, or the signal's reason.
 */
export async function askPlatform<T>(
  platformUrl: string,
  path: string,
  token: string,
  body: unknown,
  answer: ZodType<T>,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(new URL(path, platformUrl), {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      });
      const text = await response.text();
      if (response.ok) return answer.parse(text === "" ? undefined : JSON.parse(text));
      throw new Refusal(response.status, text);
    } catch (error) {
      signal.throwIfAborted();
      const lasting =
        error instanceof Refusal
          ? error.status < 500 && error.status !== 429
          : !(error instanceof TypeError || error instanceof DOMException);
      if (error instanceof Refusal && lasting)
        throw new Failure("platform_unavailable", `The lake's catalog refused: ${error.message}`, { cause: error });
      if (lasting || attempt === ATTEMPTS)
        throw new Failure("platform_unavailable", "The lake's catalog could not be asked; try again.", {
          cause: error,
        });
      await delay(BACKOFF_MS * 2 ** attempt * (0.5 + Math.random()), undefined, { signal });
    }
  }
}

/**
 * Statuses of those who stand before the platform, when there is none behind them: RFC 9110 §15.6, and Cloudflare's 520
 * to 530.
 */
const AWAY = [502, 503, 504];

/** Whether nobody answered for the platform, as opposed to its having failed. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Failure) || error.code !== "platform_unavailable") return false;
  const { cause } = error;
  if (cause instanceof Refusal) return AWAY.includes(cause.status) || (cause.status >= 520 && cause.status <= 530);
  return cause instanceof TypeError || cause instanceof DOMException;
}

/** The platform's own no, in its own words, which are written for people. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, body: string) {
    super(messageOf(body) ?? `status ${status}`);
    this.status = status;
  }
}

function messageOf(body: string): string | undefined {
  try {
    const { message, error } = JSON.parse(body) as { message?: string; error?: { flaws?: Array<{ message: string }> } };
    // What is wrong says more than that something is.
    return error?.flaws?.length ? error.flaws.map((flaw) => flaw.message).join(" ") : message;
  } catch {
    return undefined;
  }
}
