// One team's log: what its runs said, kept for a stated time and size. The object is named by the team's id.

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
  constructor(ctx: DurableObjectState<{}>, env: Env) {
    super(ctx, env);
    createTables(ctx.storage.sql);
  }

  /** A stream is all that one run says, over all its attempts. */
  async append(stream: string, lines: LogLine[], nowMs: number = Date.now()): Promise<void> {
    const { storage } = this.ctx;
    storage.transactionSync(() => {
      appendLines(storage.sql, stream, lines, nowMs);
      trimLines(storage.sql, nowMs);
    });
    if ((await storage.getAlarm()) === null) await storage.setAlarm(Date.now() + TRIM_EVERY_MS);
  }

  read(stream: string, offset: number, limit: number): LogPage {
    return readLines(this.ctx.storage.sql, stream, offset, limit);
  }

  /** A page of a stream's lines by attempt and level, from either end. */
  query(stream: string, query: LogQuery): SourcedLogPage {
    return queryLines(this.ctx.storage.sql, stream, query);
  }

  /** A team that says nothing any more has its lines taken away all the same. */
  override async alarm(): Promise<void> {
    const { storage } = this.ctx;
    for (let trim = 0; trim < TRIMS_PER_ALARM_MAX; trim++) {
      if (!storage.transactionSync(() => trimLines(storage.sql, Date.now()))) break;
    }
    if (hasLines(storage.sql)) await storage.setAlarm(Date.now() + TRIM_EVERY_MS);
  }
}
