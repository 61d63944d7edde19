// Statements that nobody waits for: each runs into a file, which is stored as an object, and the platform is told. The
// sender may wait for a moment, and takes a small result that is there by then itself.

import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { unknown } from "zod";
import { ownFolder } from "../program/leftovers.ts";
import type { ObjectStore } from "../program/object-store.ts";
import {
  ResultUploadAnswer,
  type AsyncStatementAnswer,
  type AsyncStatementOutcome,
  type AsyncStatementRequest,
  type RunningRowsRequest,
} from "../../kernel/wire/statements/async-statement.ts";
import { locate, redact, secretsOfTarget } from "../../kernel/wire/failure-text.ts";
import { AnsweredEndTaker } from "./answered-end.ts";
import { reportUnused } from "./cluster/report-use.ts";
import { Failure, reasonOf, toFailure } from "./core/failure.ts";
import { answerFacts } from "./core/statement.ts";
import { askPlatform, type PlatformAddress } from "./platform/ask-platform.ts";
import { openObjectStore } from "./platform/object-store.ts";
import { runStatement, type StatementMeans } from "./run-statement.ts";
import type { Statements } from "./statements.ts";
import { ResultFile, type ResultPart } from "./result-file.ts";

/** Attempts to report. If all of them fail, the platform finds out by itself, late. */
const REPORT_ATTEMPTS = 8;
const REPORT_MS = 120_000;

/** Who reads a result while it grows waits for so many bytes, no longer than this. */
const READ_BYTES_MIN = 1024 * 1024;
const READ_WAIT_MS = 1_000;
/** A result whose reader reads on is stored later: once the reader pauses for so long, and after so long anyway. */
const READER_QUIET_MS = 2_000;
const READER_MS = 30_000;

export class AsyncStatements {
  readonly #env: PlatformAddress;
  readonly #means: StatementMeans;
  readonly #statements: Statements;
  readonly #store: ObjectStore;
  readonly #folder = ownFolder(tmpdir(), "result");
  readonly #running = new Set<Promise<void>>();
  /** The results that may be read while their statements run, by the statements' ids. */
  readonly #results = new Map<string, ResultFile>();

  constructor(env: PlatformAddress, means: StatementMeans, statements: Statements) {
    this.#env = env;
    this.#means = means;
    this.#statements = statements;
    this.#store = openObjectStore(env.s3Dial);
  }

  /**
   * Settles once the statement runs, or has ended within `waitMs`. Rejects like {@link Statements.run} where the
   * statement is not accepted, and then nothing is reported of it.
   */
  async start(request: AsyncStatementRequest): Promise<AsyncStatementAnswer> {
    const { statement, waitMs, leaseMs = statement.deadlineMs } = request;
    const begun = Promise.withResolvers<void>();
    const sender = new AnsweredEndTaker(request.answeredBytesMax);
    const ended = this.#statements.run(statement.id, { ...statement, leaseMs }, (signal) => {
      begun.resolve();
      return this.#runAndReport(request, sender, signal);
    });
    await Promise.race([begun.promise, ended]);
    this.#running.add(ended);
    void ended.finally(() => this.#running.delete(ended));
    const goesOn = Promise.race([sender.refused, delay(waitMs, undefined, { ref: false })]).then(() => false);
    const hasEnded = await Promise.race([ended.then(() => true), goesOn]);
    const end = sender.close();
    return end ? { hasEnded: true, end } : { hasEnded };
  }

  /** Bytes of a statement's result; none where there are no more yet. Undefined where it has none that may be read. */
  async readRows(id: string, { from, bytes }: RunningRowsRequest): Promise<ResultPart | undefined> {
    const result = this.#results.get(id);
    await result?.reached(from + Math.min(bytes, READ_BYTES_MIN), READ_WAIT_MS);
    return result?.read(from, bytes);
  }

  /** Settles when no statement runs. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Never rejects. */
  async #runAndReport(request: AsyncStatementRequest, sender: AnsweredEndTaker, signal: AbortSignal): Promise<void> {
    const { statement } = request;
    let unused = request.fallback;
    const outcome = await this.#run(request, sender, signal).catch((error: unknown) => {
      const failure = reasonOf(error, signal);
      const heavier = failure.code === "resources_exceeded" ? fallbackOf(request) : undefined;
      if (!heavier) return failed(request, failure);
      unused = undefined;
      return this.#run(heavier, sender, signal, { isFallback: true }).catch((again: unknown) =>
        failed(heavier, reasonOf(again, signal)),
      );
    });
    if (unused) void reportUnused({ id: statement.id, target: unused.target }, this.#env.platformUrl);
    if (sender.isTaken || (outcome.outcome === "failed" && sender.take({ outcome, rows: "" }))) return;
    await this.#ask(request, {
      path: "finish",
      body: outcome,
      answer: unknown(),
      attempts: REPORT_ATTEMPTS,
      signal: AbortSignal.timeout(REPORT_MS),
    }).catch((error: unknown) =>
      console.error(`statement ${statement.id}: its end could not be reported: ${toFailure(error).message}`),
    );
  }

  /** The result is stored, or its sender has taken it. */
  async #run(
    request: AsyncStatementRequest,
    sender: AnsweredEndTaker,
    signal: AbortSignal,
    more: { isFallback?: true } = {},
  ): Promise<AsyncStatementOutcome> {
    const bounds = { bytesMax: request.storedBytesMax, heldBytesMax: sender.bytesMax, onDisk: () => sender.refuse() };
    const file = new ResultFile(join(this.#folder, randomUUID()), bounds);
    const facts = answerFacts();
    const { id } = request.statement;
    // A statement that another may replace has no rows for certain, and the other's have columns of their own.
    if (!request.fallback && !more.isFallback) this.#results.set(id, file);
    try {
      await runStatement(request.statement, { ...this.#means, facts }, signal, file);
      file.finish();
      const readerHead = facts.trinoHead?.columns;
      const head = readerHead === undefined ? {} : { readerHead };
      const outcome: AsyncStatementOutcome = { outcome: "succeeded", bytes: file.bytes, ...head, ...more };
      const rows = file.text;
      if (rows !== undefined && sender.take({ outcome, rows })) return outcome;
      // What its reader is about to have is not worth the reader's waiting for its storing.
      await file.left(READER_QUIET_MS, READER_MS, signal);
      await this.#keep(request, file, signal);
      return outcome;
    } finally {
      if (this.#results.get(id) === file) this.#results.delete(id);
      await file.remove();
    }
  }

  async #keep(request: AsyncStatementRequest, file: ResultFile, signal: AbortSignal): Promise<void> {
    const { path, bytes } = file;
    try {
      await file.settle();
      const { url } = await this.#ask(request, { path: "result", body: { bytes }, answer: ResultUploadAnswer, signal });
      await this.#store.upload({ url, file: path, bytes, signal });
    } catch (cause) {
      signal.throwIfAborted();
      throw new Failure("platform_unavailable", "The statement has run, but its result could not be stored.", {
        cause,
      });
    }
  }

  #ask<T>(
    { statement, token }: AsyncStatementRequest,
    { path, ...asked }: Parameters<typeof askPlatform<T>>[1],
  ): Promise<T> {
    const access = { platformUrl: this.#env.platformUrl, token };
    return askPlatform(access, { ...asked, path: `/internal/queries/${encodeURIComponent(statement.id)}/${path}` });
  }
}

/** At the cluster the sender's own text runs. */
function fallbackOf({ fallback, statement, ...request }: AsyncStatementRequest): AsyncStatementRequest | undefined {
  const { isTranslated: _, ...same } = statement;
  return fallback && { ...request, statement: { ...same, ...fallback } };
}

function failed({ statement: { target, sql } }: AsyncStatementRequest, failure: Failure): AsyncStatementOutcome {
  const { position } = failure;
  return {
    outcome: "failed",
    failure: { ...failure.toJSON(), message: redact(failure, secretsOfTarget(target)) },
    ...(position === undefined || sql === undefined ? {} : { location: locate(sql, position) }),
  };
}
