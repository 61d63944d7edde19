// A meter takes what isolates report of its requests, and passes it on to D1. The object is named by the team's id.
//
// A report is stored before it is answered. The alarm takes what is stored as a batch with a number, commits it to D1
// together with that number, and only then drops it: whatever dies in between, the batch comes again and counts once.

import { DurableObject } from "cloudflare:workers";
import { backoffMs } from "../../../kernel/jobs/backoff.ts";
import { EVENT_LIMITS } from "../../core/events/limits.ts";
import { openDb } from "../db/client.ts";
import {
  addReport,
  createTables,
  dropBatch,
  forgetOld,
  reserveOf,
  takeBatch,
  usedOf,
  type MeterBatch,
} from "./meter-rows.ts";
import { passOn } from "./pass-on.ts";
import { RequestWindow } from "./request-window.ts";
import type { MeterReport, RequestCounts, Reservation, Reserved } from "./report.ts";

/** A busy team's batches that one alarm passes on; the rest has the next one. */
const BATCHES_PER_ALARM_MAX = 20;

export class MeterObject extends DurableObject<Env> {
  readonly #requests = new RequestWindow();
  /** An object that is only named keeps nothing, and so costs nothing. */
  #hasTables = false;
  #failures = 0;

  /** Adds a report, once however often it comes, and answers the requests of this minute. */
  async add(report: MeterReport, nowMs: number = Date.now()): Promise<RequestCounts> {
    const isNew = this.#inTables((sql) => addReport(sql, report, nowMs));
    if (isNew) this.#requests.add(report.requests, nowMs);
    await this.#wakeLater();
    return this.#requests.counts(Object.keys(report.requests), nowMs);
  }

  /** Exact however many ask at once: an object does one thing at a time. */
  reserve(reservation: Reservation): Reserved {
    return this.#inTables((sql) => reserveOf(sql, reservation));
  }

  /** What was granted in a month, by name. */
  used(month: string): Record<string, number> {
    return this.#inTables((sql) => usedOf(sql, month));
  }

  /** For a team that is deleted: nothing is left. */
  async destroy(): Promise<void> {
    this.#hasTables = false;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  /** Never throws: the runtime gives an alarm up that fails a few times, and this one has to wait for D1. */
  override async alarm(): Promise<void> {
    let waitMs: number | undefined;
    try {
      waitMs = await this.#passOnBatches();
      this.#failures = 0;
    } catch (error) {
      console.error(JSON.stringify({ event: "meter_not_passed_on", cause: String(error) }));
      const bounds = { baseMs: EVENT_LIMITS.meterPassOnMs, maxMs: EVENT_LIMITS.meterRetryMsMax };
      waitMs = backoffMs(++this.#failures, bounds, this.ctx.id.toString());
    }
    if (waitMs !== undefined) await this.#wakeLater(waitMs);
  }

  /** Answers when to go on; undefined where nothing is left to do. */
  async #passOnBatches(): Promise<number | undefined> {
    const take = (): MeterBatch | undefined => this.#inTables((sql) => takeBatch(sql, Date.now()));
    this.#inTables((sql) => forgetOld(sql, Date.now()));
    for (let batches = 0; batches < BATCHES_PER_ALARM_MAX; batches++) {
      const batch = take();
      if (!batch) return undefined;
      const isOfTeam = await passOn(openDb(this.env.DB), batch);
      // A team that is deleted, now or by the time a late report came, leaves nothing here.
      if (!isOfTeam) await this.destroy();
      if (!this.#hasTables) return undefined;
      this.#inTables(dropBatch);
    }
    return EVENT_LIMITS.meterPassOnMs;
  }

  #inTables<T>(work: (sql: SqlStorage) => T): T {
    const { storage } = this.ctx;
    if (!this.#hasTables) storage.transactionSync(() => createTables(storage.sql));
    this.#hasTables = true;
    return storage.transactionSync(() => work(storage.sql));
  }

  async #wakeLater(waitMs: number = EVENT_LIMITS.meterPassOnMs): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + waitMs);
  }
}
