// What a database sends is only believed as far as it was checked; this is what is said of the rest.

import { Failure } from "../core/failure.ts";

class ProtocolError extends Failure {}

/**
 * Of bytes that no such server sends. Nothing of them may be used: neither they nor what comes behind them mean what
 * they say.
 */
export const protocolError = (
  kind: "PostgreSQL" | "MySQL" | "BigQuery" | "SQL Server" | "Snowflake",
  what: string,
): Failure =>
  new ProtocolError(
    "connection_failed",
    `The database's answer breaks ${kind}'s protocol: ${what}. Something between it and us may have changed it.`,
    { reason: "other" },
  );

export const isProtocolError = (error: unknown): boolean => error instanceof ProtocolError;
