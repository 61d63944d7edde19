// A result is unreadable, or can't be written as a file, for one of these reasons.

/**
 * `damaged`: the bytes are no whole Arrow stream. `unsupported`: they hold a type that no result here has. `too_large`:
 * a bound is passed.
 */
export type UnreadableReason = "damaged" | "unsupported" | "too_large";

export class UnreadableResult extends Error {
  override readonly name = "UnreadableResult";
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export const damaged = (what: string): UnreadableResult =>
  new UnreadableResult("damaged", `The result is damaged: ${what}.`);

export const tooLargeFile = (bytesMax: number): UnreadableResult =>
  new UnreadableResult("too_large", `The file would have more than ${bytesMax} bytes. Send a link, or fewer rows.`);
