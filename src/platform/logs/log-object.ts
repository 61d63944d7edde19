// The log object keeps what one team's runs logged, for a stated time and size. The object is named by the team's id.

import { DurableObject } from "cloudflare:workers";
import {
  appendLines,
  createTables,
  hasLines,
  queryLines,
  readLines,
  trimLines,
  type LogLine,
  type LogPage,
  type LogQuery,
  type SourcedLogPage,
} from "./log-lines.ts";

const TRIM_EVERY_MS = 86_400_000;
const TRIMS_PER_ALARM_MAX = 100;

export class LogObject extends DurableObject<Env> {
  #isOpen = false;

  /** A stream is all that one run says, over all its attempts. */
  async append(stream: string, lines: LogLine[], nowMs: number = Date.now()): Promise<void> {
    const { storage } = this.ctx;
    const sql = this.#sql();
    storage.transactionSync(() => {
      appendLines(sql, stream, lines, nowMs);
      trimLines(sql, nowMs);
    });
    if ((await storage.getAlarm()) === null) await storage.setAlarm(Date.now() + TRIM_EVERY_MS);
  }

  read(stream: string, offset: number, limit: number): LogPage {
    return readLines(this.#sql(), stream, offset, limit);
  }

  /** A page of a stream's lines by attempt and level, from either end. */
  query(stream: string, query: LogQuery): SourcedLogPage {
    return queryLines(this.#sql(), stream, query);
  }

  /** A team that says nothing any more has its lines taken away all the same. */
  override async alarm(): Promise<void> {
    const { storage } = this.ctx;
    const sql = this.#sql();
    for (let trim = 0; trim < TRIMS_PER_ALARM_MAX; trim++) {
      if (!storage.transactionSync(() => trimLines(sql, Date.now()))) break;
    }
    if (hasLines(sql)) await storage.setAlarm(Date.now() + TRIM_EVERY_MS);
  }

  /** Forgets the team. */
  async destroy(): Promise<void> {
    this.#isOpen = false;
    await this.ctx.storage.deleteAll();
  }

  /** Opens on first use, not in the constructor: to forget a log is not to lay it out anew. */
  #sql(): SqlStorage {
    if (!this.#isOpen) createTables(this.ctx.storage.sql);
    this.#isOpen = true;
    return this.ctx.storage.sql;
  }
}
