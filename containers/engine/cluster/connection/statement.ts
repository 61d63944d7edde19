// One statement at a cluster, from the request that sends it to its last page; ended there when nobody reads on.

import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../core/failure.ts";
import type { ClusterHttp } from "./cluster-http.ts";
import { ClusterError, isStarting, protocolViolation } from "./errors.ts";
import { readAnswer, type Answer, type ClusterColumn } from "./pages.ts";

/** A cluster that was just started has no nodes for a while. */
const STARTING_MS = 10_000;
const STARTING_PAUSE_MS = 500;
/** The cluster holds a question until it knows more; one that answers at once is asked more and more seldom. */
const QUIET_MS = 5;
const POLL_MS_MAX = 100;

export type Page = { columns: readonly ClusterColumn[]; rows: unknown[][] };

/** The bytes that the cluster has read for the statement so far, by its own account. */
export type ReadSoFar = { bytesRead: number };

/**
 * The first page is the first that has columns; after the last, the cluster has said that the statement is whole.
 * Rejects with a ClusterError, ClusterAway, a Failure, or the signal's reason.
 */
export async function* runStatement(
  http: ClusterHttp,
  sql: string,
  read: ReadSoFar,
  signal: AbortSignal,
): AsyncGenerator<Page, void> {
  const until = Date.now() + STARTING_MS;
  for (;;) {
    let isBegun = false;
    try {
      for await (const page of pagesOf(http, sql, read, signal)) {
        isBegun = true;
        yield page;
      }
      return;
    } catch (error) {
      if (isBegun || !isStarting(error) || Date.now() > until) throw error;
      await sleep(STARTING_PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

async function* pagesOf(
  http: ClusterHttp,
  sql: string,
  read: ReadSoFar,
  signal: AbortSignal,
): AsyncGenerator<Page, void> {
  const places = new PageAddresses(http.origin);
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  let columns: { list: readonly ClusterColumn[]; text: string } | undefined;
  let answer = readAnswer(await http.request("POST", new URL("/v1/statement", http.origin), signal, sql));
  const { id } = answer;
  let next = places.next(answer);
  try {
    for (let pauseMs = 1, isQuiet = false; ; ) {
      if (answer.id !== id) protocolViolation("it answers for another statement");
      read.bytesRead = Math.max(read.bytesRead, answer.stats.physicalInputBytes ?? 0);
      if (answer.error) throw new ClusterError({ ...answer.error, message: http.withoutSecrets(answer.error.message) });
      if (answer.updateType)
        throw new Failure("statement_refused", "The cluster takes the statement for one that writes.");
      columns = sameColumns(columns, answer);
      pauseMs = isQuiet ? Math.min(pauseMs * 2, POLL_MS_MAX) : 1;
      if (isQuiet && next) await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      // The next page is on its way while this one is written; no further one is asked for meanwhile.
      const ahead = next && askPage(http, next, until);
      if (columns) yield { columns: columns.list, rows: answer.data ?? [] };
      if (!ahead) break;
      const { body, tookMs } = await ahead;
      answer = readAnswer(body);
      isQuiet = !answer.data && tookMs < QUIET_MS;
      next = places.next(answer);
    }
    // An answer without a next one may be an end that is none.
    if (answer.stats.state !== "FINISHED")
      protocolViolation(`it ends in the state ${answer.stats.state.slice(0, 50)}, which is not that of a whole result`);
    if (!columns) throw new Failure("statement_refused", "The statement gave no rows.");
  } finally {
    ended.abort();
    if (next) await http.cancel(next);
  }
}

/** The bytes of a page, unread, and how long the cluster took for them. It is known to fail only by who awaits it. */
function askPage(http: ClusterHttp, page: URL, signal: AbortSignal): Promise<{ body: Buffer; tookMs: number }> {
  const askedAt = performance.now();
  const asked = http.request("GET", page, signal).then((body) => ({ body, tookMs: performance.now() - askedAt }));
  asked.catch(() => undefined);
  return asked;
}

function sameColumns(
  known: { list: readonly ClusterColumn[]; text: string } | undefined,
  { columns, data }: Answer,
): typeof known {
  const text = columns ? JSON.stringify(columns) : undefined;
  if (known && text !== undefined && text !== known.text) protocolViolation("its pages do not agree on their columns");
  const all = known ?? (columns && text !== undefined ? { list: columns, text } : undefined);
  if (!data) return all;
  if (!all) return protocolViolation("it sends rows of no columns");
  if (data.some((row) => row.length !== all.list.length))
    protocolViolation("a row has another number of values than there are columns");
  return all;
}

/** The phase, the statement, a word that proves that the address was given out, and the number of the page. */
const PAGE_PATH = /^\/v1\/statement\/(queued|executing)\/(\w+)\/\w+\/(\d{1,15})$/;

/** The addresses of a statement's answers, each further than the one before: so no page comes twice. */
class PageAddresses {
  readonly #origin: URL;
  #last: { phase: string; token: number } | undefined;

  constructor(origin: URL) {
    this.#origin = origin;
  }

  /** Undefined after the last answer. Throws a Failure for an address that is not one of the configured origin. */
  next({ id, nextUri }: Answer): URL | undefined {
    if (nextUri === undefined || nextUri === null) return undefined;
    const url = URL.canParse(nextUri) ? new URL(nextUri) : undefined;
    if (!url || url.origin !== this.#origin.origin || url.username !== "" || url.password !== "")
      throw new Failure(
        "connection_failed",
        "The cluster names another address than its own for the next page, which is not asked. Behind a proxy it has " +
          "to read the proxy's headers: http-server.process-forwarded=true.",
        { reason: "other" },
      );
    const [, phase = "", of, token] = PAGE_PATH.exec(url.pathname) ?? [];
    if (of !== id || url.search !== "") return protocolViolation("the address of a page is not one of the statement's");
    const last = this.#last;
    const isBefore = last && (last.phase === phase ? Number(token) <= last.token : last.phase !== "queued");
    if (isBefore) return protocolViolation("a page is followed by one that was read before");
    this.#last = { phase, token: Number(token) };
    return url;
  }
}
