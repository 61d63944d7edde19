// What the result cache had to do with a statement, as its answer tells (RFC 9211, and RFC 9111 for the age).

/**
 * Why a statement ran: its kind is never kept, its sender asked for that, nothing is kept of it, or what is kept is of
 * tables that have changed since.
 */
export type ForwardReason = "bypass" | "request" | "miss" | "stale";

export class CacheUse {
  readonly #whole: CacheUse | undefined;
  #cachedAtMs: number | undefined;
  #forwarded: ForwardReason | undefined;

  /** `whole`: what is told of this part is told of that as well. */
  constructor(whole?: CacheUse) {
    this.#whole = whole;
  }

  hit(cachedAtMs: number): void {
    this.#cachedAtMs = Math.min(cachedAtMs, this.#cachedAtMs ?? Infinity);
    this.#whole?.hit(cachedAtMs);
  }

  forward(reason: ForwardReason): void {
    this.#forwarded ??= reason;
    this.#whole?.forward(reason);
  }

  /** When what came from the cache was read; of several parts the oldest. Undefined where nothing did. */
  get cachedAt(): Date | undefined {
    return this.#cachedAtMs === undefined ? undefined : new Date(this.#cachedAtMs);
  }

  /** None where there was no cache to ask. */
  get headers(): Record<string, string> {
    if (this.#forwarded !== undefined) return { "cache-status": `Fjord; fwd=${this.#forwarded}` };
    if (this.#cachedAtMs === undefined) return {};
    const seconds = Math.max(0, Math.floor((Date.now() - this.#cachedAtMs) / 1_000));
    return { "cache-status": "Fjord; hit", age: String(seconds) };
  }
}
