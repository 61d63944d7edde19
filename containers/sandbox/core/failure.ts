// The sandbox's one error class; its code decides the status, its message is written for the end user.

import type { Flaw } from "../../program/server.ts";
import { SANDBOX_FAILURES, type SandboxFailure, type SandboxFailureCode } from "../../../kernel/wire/sandbox.ts";

export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: SandboxFailureCode;
  readonly flaws: Flaw[];

  constructor(code: SandboxFailureCode, message: string, flaws: Flaw[] = [], cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.flaws = flaws;
  }

  get status(): number {
    return SANDBOX_FAILURES[this.code];
  }

  toJSON(): SandboxFailure {
    const { code, message, flaws } = this;
    return { code, message, ...(flaws.length > 0 ? { flaws } : {}) };
  }
}

/** Anything thrown becomes a Failure; what is not one is a bug and says nothing to the caller. */
export const toFailure = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure("internal", "The sandbox met an internal error.", [], error);
