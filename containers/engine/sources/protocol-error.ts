// The engine believes what a database sends only as far as it was checked; an answer that fails the check becomes this
// failure.

import { Failure } from "../core/failure.ts";

class ProtocolError extends Failure {}

/**
 * The failure for bytes that no such server sends. None of them may be used: neither they nor later ones mean what they
 * say.
 */
export const protocolError = (
  kind: "PostgreSQL" | "MySQL" | "BigQuery" | "SQL Server" | "Snowflake" | "Trino",
  what: string,
): Failure =>
  new ProtocolError(
    "connection_failed",
    `The database's answer breaks ${kind}'s protocol: ${what}. Something between it and us may have changed it.`,
    { reason: "other" },
  );

export const isProtocolError = (error: unknown): boolean => error instanceof ProtocolError;
