// A container's program as a client of the platform's internal routes: one token, a deadline, and attempts that back
// off.

import { setTimeout as delay } from "node:timers/promises";
import type { ZodType } from "zod";

const ANSWER_MS = 15_000;
const ATTEMPTS = 3;
const BACKOFF_MS = 200;
const BACKOFF_MS_MAX = 15_000;

export type PlatformRequest<T> = {
  path: string;
  body: unknown;
  answer: ZodType<T>;
  signal?: AbortSignal | undefined;
  attempts?: number | undefined;
  /** The time for one answer, where the platform works for it. */
  answerMs?: number | undefined;
};

export class PlatformClient {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /**
   * POSTs `body` and parses the answer. Tries again on 5xx, 429 and broken connections: every route may be repeated (a
   * commit by its key). Rejects with a {@link PlatformRefusal}, with fetch's own error where nothing answered, with
   * zod's where the answer is of another form, or with the signal's reason.
   */
  async post<T>(request: PlatformRequest<T>): Promise<T> {
    const { path, body, answer, signal, attempts = ATTEMPTS, answerMs = ANSWER_MS } = request;
    for (let attempt = 1; ; attempt++) {
      try {
        const deadline = AbortSignal.timeout(answerMs);
        const response = await fetch(new URL(path, this.#url), {
          method: "POST",
          headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
          body: JSON.stringify(body),
          signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        });
        const text = await response.text();
        if (!response.ok) throw new PlatformRefusal(response.status, flawsIn(text) ?? messageIn(text), codeIn(text));
        return answer.parse(text === "" ? undefined : JSON.parse(text));
      } catch (error) {
        signal?.throwIfAborted();
        if (!isPassing(error) || attempt >= attempts) throw error;
        const backoffMs = Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** attempt) * (0.5 + Math.random());
        await delay(backoffMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
      }
    }
  }
}

/** A refusal by the platform, in its own words, which are written for people. */
export class PlatformRefusal extends Error {
  readonly status: number;
  /** The failure's code, for programs. */
  readonly code: string | undefined;

  constructor(status: number, message = `the platform answered ${status}`, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** Whether the same request may succeed a moment later. */
  get isPassing(): boolean {
    return this.status >= 500 || this.status === 429;
  }
}

/** Whether nothing answered, as opposed to an answer that refuses, or that can't be read. */
export const isUnanswered = (error: unknown): boolean => error instanceof TypeError || error instanceof DOMException;

const isPassing = (error: unknown): boolean =>
  error instanceof PlatformRefusal ? error.isPassing : isUnanswered(error);

/** The message in a failure's document, for people. */
export const messageIn = (body: string): string | undefined => parseFailure(body)?.message;

/** The code in a failure's document, for programs. */
export const codeIn = (body: string): string | undefined => parseFailure(body)?.error?.code;

/** The flaws in a failure's document, which say more than its message. */
function flawsIn(body: string): string | undefined {
  const flaws = parseFailure(body)?.error?.flaws;
  return flaws?.length ? flaws.map(({ message }) => message).join(" ") : undefined;
}

type FailureDocument = { message?: string; error?: { code?: string; flaws?: { message: string }[] } };

function parseFailure(body: string): FailureDocument | undefined {
  try {
    return JSON.parse(body) as FailureDocument;
  } catch {
    return undefined;
  }
}
