// A buffer holds what an isolate has counted of one team and not handed to its meter yet.

import { addDuration, emptySummary } from "../../core/events/duration-summary.ts";
import { minuteOf } from "../../core/events/event-types.ts";
import { EVENT_LIMITS } from "../../core/events/limits.ts";
import { waitFor } from "../container/wait-for.ts";
import type { BufferedEvent, EventSum, MeterReport, RequestCounts } from "./report.ts";

type Counted = Pick<MeterReport, "keyUses" | "requests"> & { events: Map<string, EventSum> };

const nothing = (): Counted => ({ events: new Map(), keyUses: {}, requests: {} });

export class TeamBuffer {
  requestCounts: RequestCounts | undefined;

  readonly #teamId: string;
  readonly #source: string;
  readonly #report: (report: MeterReport) => Promise<RequestCounts>;
  #counted = nothing();
  /** Sent and not answered. It stays as it is, so that the meter knows it again. */
  #unanswered: MeterReport | undefined;
  #sequence = 0;
  #sentAtMs = 0;
  /** A request that hands over does so for the others, too; one that has died is not waited for longer than this. */
  #isSendingUntilMs = 0;

  constructor(teamId: string, source: string, report: (report: MeterReport) => Promise<RequestCounts>) {
    this.#teamId = teamId;
    this.#source = source;
    this.#report = report;
  }

  get isEmpty(): boolean {
    return this.#counted.events.size === 0 && !this.#unanswered;
  }

  add({ type, durationMs, keyId }: BufferedEvent, nowMs: number): void {
    addDuration(this.#sumOf(type, minuteOf(nowMs)), durationMs);
    if (keyId === undefined || type !== "api_request") return;
    const { keyUses, requests } = this.#counted;
    if (!(keyId in requests) && Object.keys(requests).length >= EVENT_LIMITS.meterKeysMax) return;
    keyUses[keyId] = nowMs;
    requests[keyId] = (requests[keyId] ?? 0) + 1;
  }

  /** Undefined where another request is at it. Never rejects. */
  send(): Promise<void> | undefined {
    const nowMs = Date.now();
    if (nowMs < this.#isSendingUntilMs) return undefined;
    this.#isSendingUntilMs = nowMs + EVENT_LIMITS.meterSendingMs;
    return this.#sendAll(this.#isSendingUntilMs);
  }

  /** Until nothing is left, also of what came meanwhile; but no longer than a request may go on after its answer. */
  async #sendAll(untilMs: number): Promise<void> {
    while (!this.isEmpty && this.#isSendingUntilMs === untilMs && Date.now() < untilMs - EVENT_LIMITS.meterReportMs) {
      await scheduler.wait(Math.max(0, this.#sentAtMs + EVENT_LIMITS.meterReportEveryMs - Date.now()));
      await this.#sendOne();
    }
    if (this.#isSendingUntilMs === untilMs) this.#isSendingUntilMs = 0;
  }

  async #sendOne(): Promise<void> {
    this.#sentAtMs = Date.now();
    const report = (this.#unanswered ??= this.#take());
    try {
      const answer = await waitFor(this.#report(report), { deadlineMs: EVENT_LIMITS.meterReportMs });
      this.requestCounts = answer;
      if (this.#unanswered === report) this.#unanswered = undefined;
    } catch (error) {
      console.error(JSON.stringify({ event: "meter_silent", teamId: this.#teamId, cause: String(error) }));
    }
  }

  /** While the meter is silent for long, what is minutes apart is counted as of one. */
  #sumOf(type: EventSum["type"], minute: number): EventSum {
    const { events } = this.#counted;
    const name = `${type} ${minute}`;
    const known = events.get(name);
    if (known) return known;
    const isFull = events.size >= EVENT_LIMITS.meterReportRowsMax;
    const other = isFull ? [...events.values()].find((sum) => sum.type === type) : undefined;
    if (other) return other;
    const sum: EventSum = { type, minute, ...emptySummary() };
    events.set(name, sum);
    return sum;
  }

  #take(): MeterReport {
    const { events, keyUses, requests } = this.#counted;
    this.#counted = nothing();
    return {
      teamId: this.#teamId,
      source: this.#source,
      sequence: ++this.#sequence,
      events: [...events.values()],
      keyUses,
      requests,
    };
  }
}
