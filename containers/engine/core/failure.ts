// The engine's one error class; its code decides the status, its message is written for the end user.

import { ENGINE_FAILURES, type ConnectionReason, type EngineFailureCode } from "../../../kernel/wire/failures.ts";
import type { EngineFailure } from "../../../kernel/wire/engine.ts";

export type FailureDetails = {
  position?: number | undefined;
  reason?: ConnectionReason | undefined;
  retryAfterSeconds?: number | undefined;
  isRead?: true | undefined;
  cause?: unknown;
};

export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: EngineFailureCode;
  readonly position: number | undefined;
  readonly reason: ConnectionReason | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The failure is one of a statement that only reads. */
  readonly isRead: true | undefined;

  constructor(code: EngineFailureCode, message: string, more: FailureDetails = {}) {
    super(message, { cause: more.cause });
    this.code = code;
    this.position = more.position;
    this.reason = more.reason;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.isRead = more.isRead;
  }

  get status(): number {
    return ENGINE_FAILURES[this.code];
  }

  /** Whether the engine's successor may be asked the same: this one is being stopped, and has changed nothing. */
  get isForSuccessor(): boolean {
    return this.code === "stopping" && this.isRead === true;
  }

  /** A copy of the failure with another message. */
  reworded(message: string, position: number | undefined): Failure {
    const { code, reason, retryAfterSeconds, isRead, cause } = this;
    return new Failure(code, message, { position, reason, retryAfterSeconds, isRead, cause });
  }

  /** A copy of the failure, which says that its statement only reads. */
  ofRead(): Failure {
    const { code, message, position, reason, retryAfterSeconds, cause } = this;
    return new Failure(code, message, { position, reason, retryAfterSeconds, isRead: true, cause });
  }

  toJSON(): EngineFailure {
    const { code, message, position, reason, retryAfterSeconds, isRead } = this;
    return {
      code,
      message,
      ...(position === undefined ? {} : { position }),
      ...(reason === undefined ? {} : { reason }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(isRead && { isRead }),
    };
  }
}

/**
 * Turns anything thrown into a Failure. An error that is neither a Failure nor a full disk is a bug, and the caller
 * learns nothing of it.
 */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return isDiskFull(error)
    ? diskFull(error)
    : new Failure("internal", "The engine met an internal error.", { cause: error });
}

/**
 * When a statement was aborted, that is why it failed, whatever the abort broke. Its consequences may say more of it.
 */
export function reasonOf(error: unknown, signal: AbortSignal): Failure {
  const isMore = error instanceof Failure && (error.isRead || error.cause === signal.reason);
  return toFailure(signal.aborted && !isMore ? signal.reason : error);
}

/** The reason of whatever ends because the engine does. */
export const stopping = (): Failure => new Failure("stopping", "The engine is being stopped; try again.");

/** Whether the statement may succeed where it has more memory or disk. */
export const isTooLarge = (error: unknown): boolean => error instanceof Failure && error.code === "resources_exceeded";

const DISK_FULL =
  "The engine's disk is full. Try again: there may be room once other work has ended; a larger instance type has a " +
  "larger disk.";

/** The failure of a request that may succeed later: nothing is wrong with what was asked. */
export const diskFull = (cause: unknown): Failure => new Failure("disk_full", DISK_FULL, { cause });

/** Recognises the error of Node, DuckDB or SQLite, and {@link diskFull}, also one that came from another process. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Failure) return error.code === "disk_full" || isDiskFull(error.cause);
  const { code } = error as NodeJS.ErrnoException;
  return (
    code === "ENOSPC" ||
    code === "EDQUOT" ||
    /^IO Error: .*No space left on device|^database or disk is full$/s.test(error.message)
  );
}
