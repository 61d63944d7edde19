// R2 says by the number of its failure what a caller did wrong with an upload in parts.

/** Why the bucket refuses an upload: it is not there (any more), or what is wrong with its parts. */
export type UploadReason = "missing" | "part_too_small" | "part_missing" | "part_sizes_differ";

export class UploadFailure extends Error {
  readonly reason: UploadReason;

  constructor(reason: UploadReason, cause: unknown) {
    super(`The upload in parts failed: ${reason}.`, { cause });
    this.reason = reason;
  }
}

/** By R2's own number of a failure. */
const REASONS: Readonly<Record<number, UploadReason>> = {
  10011: "part_too_small",
  10024: "missing",
  10025: "part_missing",
  10048: "part_sizes_differ",
};

/** The failure, where it is the caller's; any other stays as it is. R2's number ends the message. */
export function toUploadFailure(error: unknown): unknown {
  const [, number] = /\((\d{5,6})\)\s*$/.exec(error instanceof Error ? error.message : "") ?? [];
  const reason = number === undefined ? undefined : REASONS[Number(number)];
  return reason ? new UploadFailure(reason, error) : error;
}
