// The requests that a team and its keys made this minute are counted in memory: an object that is evicted begins at
// nothing.

import { minuteOf } from "../../core/events/event-types.ts";
import { EVENT_LIMITS } from "../../core/events/limits.ts";
import type { RequestCounts } from "./report.ts";

export class RequestWindow {
  #minute = 0;
  #team = 0;
  #keys = new Map<string, number>();

  add(requests: Record<string, number>, nowMs: number): void {
    this.#begin(nowMs);
    for (const [keyId, count] of Object.entries(requests)) {
      this.#team += count;
      if (this.#keys.has(keyId) || this.#keys.size < EVENT_LIMITS.meterKeysMax)
        this.#keys.set(keyId, (this.#keys.get(keyId) ?? 0) + count);
    }
  }

  counts(keyIds: readonly string[], nowMs: number): RequestCounts {
    this.#begin(nowMs);
    const keys = Object.fromEntries(keyIds.map((keyId) => [keyId, this.#keys.get(keyId) ?? 0]));
    return { minute: this.#minute, team: this.#team, keys };
  }

  #begin(nowMs: number): void {
    const minute = minuteOf(nowMs);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#team = 0;
    this.#keys.clear();
  }
}
