// What may be said of a failure, and where in the SQL it is.

import type { FailureLocation } from "./async-statement.ts";
import type { EngineFailure } from "./protocol.ts";

/** A position, in characters from 1. One past the last character counts too: something is missing there. */
export function locate(sql: string, position: number): FailureLocation {
  const lines = Array.from(sql)
    .slice(0, position - 1)
    .join("")
    .split("\n");
  return { position, line: lines.length, column: Array.from(lines.at(-1)!).length + 1 };
}

/**
 * The message without secrets. Only a connection's failure can quote credentials. A secret too short to be cut out
 * whole costs the whole message.
 */
export function redact({ code, message, reason = "other" }: EngineFailure, secrets: readonly string[]): string {
  if (code !== "connection_failed") return message;
  const quoted = secrets.filter((secret) => secret !== "" && message.includes(secret));
  if (quoted.some((secret) => secret.length < 4)) return `The database could not be connected to (${reason}).`;
  return quoted.reduce((text, secret) => text.replaceAll(secret, "***"), message);
}
