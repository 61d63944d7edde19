// The end of a statement whose sender waits for a moment: the sender takes it, or it is reported to the platform, and
// never both.

import type { AnsweredEnd } from "../../kernel/wire/statements/async-statement.ts";

export class AnsweredEndTaker {
  /** The most bytes of rows that the sender takes. */
  readonly bytesMax: number;
  /** Settles where the sender is not to wait for the end: it takes none any more. */
  readonly refused: Promise<void>;
  #refuse: () => void;
  #isOpen: boolean;
  #end: AnsweredEnd | undefined;

  /** `bytesMax` is absent where the sender takes no end, however soon it comes. */
  constructor(bytesMax: number | undefined) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.bytesMax = bytesMax ?? 0;
    this.refused = promise;
    this.#refuse = resolve;
    this.#isOpen = bytesMax !== undefined;
  }

  /** Answers whether the sender takes it. */
  take(end: AnsweredEnd): boolean {
    if (this.#isOpen) this.#end = end;
    return this.#isOpen;
  }

  /** Whether the sender has taken the end. */
  get isTaken(): boolean {
    return this.#end !== undefined;
  }

  /** The rows are more than the sender takes. */
  refuse(): void {
    this.#isOpen = false;
    if (this.bytesMax > 0) this.#refuse();
  }

  /** The end where it was taken so far; none is from here on. */
  close(): AnsweredEnd | undefined {
    this.#isOpen = false;
    return this.#end;
  }
}
