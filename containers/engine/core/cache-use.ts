// The answer of a statement says what the result cache had to do with it (RFC 9211, and RFC 9111 for the age).

/**
 * Why a statement ran: its kind is never kept, its sender asked for that, no result of it is kept, or the kept result
 * is of tables that have changed since.
 */
export type ForwardReason = "bypass" | "request" | "miss" | "stale";

export class CacheUse {
  readonly #whole: CacheUse | undefined;
  #cachedAtMs: number | undefined;
  #forwarded: ForwardReason | undefined;
  #etag: string | undefined;
  #isNotModified = false;

  /** `whole`: also receives all that this part records. */
  constructor(whole?: CacheUse) {
    this.#whole = whole;
  }

  /** Names the result, and says whether the caller has it: then it is not to be sent. */
  compare(etag: string, has: readonly string[]): boolean {
    this.#etag = etag;
    this.#isNotModified = has.includes(etag);
    return this.#isNotModified;
  }

  /** Whether the answer names its result: then a part of it must not pass for an end. */
  get isTagged(): boolean {
    return this.#etag !== undefined;
  }

  get isNotModified(): boolean {
    return this.#isNotModified;
  }

  hit(cachedAtMs: number): void {
    this.#cachedAtMs = Math.min(cachedAtMs, this.#cachedAtMs ?? Infinity);
    this.#whole?.hit(cachedAtMs);
  }

  forward(reason: ForwardReason): void {
    this.#forwarded ??= reason;
    this.#whole?.forward(reason);
  }

  /**
   * When the cached result was first read; the oldest of several parts. Undefined where nothing came from the cache.
   */
  get cachedAt(): Date | undefined {
    return this.#cachedAtMs === undefined ? undefined : new Date(this.#cachedAtMs);
  }

  /** None where there was no cache to ask. */
  get headers(): Record<string, string> {
    return { ...(this.#etag !== undefined && { etag: this.#etag }), ...this.#statusHeaders };
  }

  get #statusHeaders(): Record<string, string> {
    if (this.#forwarded !== undefined) return { "cache-status": `Fjord; fwd=${this.#forwarded}` };
    if (this.#cachedAtMs === undefined) return {};
    const seconds = Math.max(0, Math.floor((Date.now() - this.#cachedAtMs) / 1_000));
    return { "cache-status": "Fjord; hit", age: String(seconds) };
  }
}
