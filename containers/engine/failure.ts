// The engine's one error class; its code decides the status, its message is written for the end user.

import { ENGINE_FAILURES, type ConnectionReason, type EngineFailure, type EngineFailureCode } from "./protocol.ts";

export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: EngineFailureCode;
  readonly position: number | undefined;
  readonly reason: ConnectionReason | undefined;

  constructor(code: EngineFailureCode, message: string, more: { position?: number | undefined; reason?: ConnectionReason; cause?: unknown } = {}) {
    super(message, { cause: more.cause });
    this.code = code;
    this.position = more.position;
    this.reason = more.reason;
  }

  get status(): number {
    return ENGINE_FAILURES[this.code];
  }

  toJSON(): EngineFailure {
    const { code, message, position, reason } = this;
    return { code, message, ...(position === undefined ? {} : { position }), ...(reason === undefined ? {} : { reason }) };
  }
}

/** Anything thrown becomes a Failure; what is not one is a bug and says nothing to the caller. */
export const toFailure = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure("internal", "The engine met an internal error.", { cause: error });
