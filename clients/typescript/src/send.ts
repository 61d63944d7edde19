// The one way to the API: a request is named, has a deadline, is sent again where that helps, and throws what failed.

import { problemOf, type FjordProblem } from "./problem.ts";
import { retryWaitMs, type Repeat, type RetryPolicy } from "./retry.ts";

export type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;
export type Transport = Readonly<{ fetch: Fetch; apiKey: string; retry: RetryPolicy; answerMsMax: number }>;

const STATEMENT_PATH = "/v1/query";
const REQUEST_ID = "x-request-id";

/**
 * Answers a response that succeeded. Throws `FjordProblem` for one that did not; where no answer came, what `fetch`
 * threw last, or a `TimeoutError`; the signal's reason where the caller has aborted.
 */
export async function send(request: Request, transport: Transport): Promise<Response> {
  const repeat = repeatOf(request);
  request.headers.set("authorization", `Bearer ${transport.apiKey}`);
  if (repeat === "once" && !request.headers.has(REQUEST_ID)) request.headers.set(REQUEST_ID, crypto.randomUUID());
  for (let tries = 1; ; tries++) {
    const outcome = await attempt(request, transport);
    if (outcome.response) return outcome.response;
    if (request.signal.aborted) throw request.signal.reason;
    const waitMs = retryWaitMs({ problem: outcome.problem, tries, repeat }, transport.retry);
    if (waitMs === undefined) throw outcome.problem ?? outcome.error;
    await wait(waitMs, request.signal);
  }
}

type Outcome = { response?: Response; problem?: FjordProblem; error?: unknown };

async function attempt(request: Request, { fetch, answerMsMax }: Transport): Promise<Outcome> {
  try {
    const response = await fetchBefore(answerMsMax, fetch, request);
    return response.ok ? { response } : { problem: await problemOf(response) };
  } catch (error) {
    return { error };
  }
}

/**
 * The requests of answers whose bodies may still be coming. Node's `fetch` follows a request's signal only as long as
 * something refers to the request.
 */
const requests = new WeakMap<object, Request>();

/**
 * Sends a copy, so that the request can be sent again. The deadline counts until the answer begins: how long its body
 * takes is for the caller's signal.
 */
export async function fetchBefore(ms: number, fetch: Fetch, request: Request): Promise<Response> {
  const stop = new AbortController();
  const abort = () => stop.abort(request.signal.reason);
  const late = () => stop.abort(new DOMException(`No answer within ${ms} ms.`, "TimeoutError"));
  const timer = setTimeout(late, ms);
  if (request.signal.aborted) abort();
  request.signal.addEventListener("abort", abort);
  let response: Response | undefined;
  try {
    response = await fetch(request.clone(), { signal: stop.signal });
    requests.set(response.body ?? response, request);
    return response;
  } finally {
    clearTimeout(timer);
    if (!response) request.signal.removeEventListener("abort", abort);
  }
}

/** A statement that runs without a caller who waits is found by its id, and refused under it a second time. */
function repeatOf({ method, url, headers }: Request): Repeat {
  if (method === "GET" || method === "HEAD") return "none";
  const isStatement = method === "POST" && new URL(url).pathname.endsWith(STATEMENT_PATH);
  return isStatement && !headers.get("prefer")?.includes("respond-async") ? "once" : "twice";
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}
