// Errors between the engine and a database that neither the server nor its driver explains; all kinds share them.

import type { ConnectionReason } from "../../../kernel/wire/failures.ts";
import { Failure } from "../core/failure.ts";

/** The reasons by Node's code of the error. */
const REASONS: Record<string, ConnectionReason> = {
  ECONNREFUSED: "refused",
  ETIMEDOUT: "timeout",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  EHOSTDOWN: "unreachable",
  EPROTO: "tls",
};

export const networkReason = (code: string): ConnectionReason | undefined =>
  REASONS[code] ?? (/^ERR_(SSL|TLS)/.test(code) ? "tls" : undefined);

/** In words for people; undefined for reasons that only a server can have. */
export function explainNetwork(reason: ConnectionReason): string | undefined {
  switch (reason) {
    case "refused":
      return "Nothing accepts connections at this host and port.";
    case "timeout":
      return "The host did not answer in time. A firewall may be in between.";
    case "unreachable":
      return "There is no route to this host.";
    case "tls":
      return "The TLS handshake with the database failed.";
    default:
      return undefined;
  }
}

/** The failure of a statement whose connection ended before its answer did. */
export const connectionLost = (cause?: unknown): Failure =>
  new Failure("connection_failed", "The database closed the connection while the statement ran.", {
    reason: "other",
    cause,
  });
