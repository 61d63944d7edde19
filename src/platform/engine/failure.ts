// The engine's failures as Problems. Codes are mapped, messages are only passed on.

import {
  LASTING_REASONS,
  type ConnectionReason,
  type EngineFailure,
  type EngineFailureCode,
} from "../../../containers/engine/contract/protocol.ts";
import { Problem, type Flaw, type ProblemCode, type SqlLocation } from "../../core/problem.ts";

const CODES: Record<EngineFailureCode, ProblemCode> = {
  // The Worker speaks to the engine by schema, as the holder of its secret: either failure is a fault of ours.
  bad_request: "internal_error",
  unauthorized: "engine_unavailable",
  internal: "internal_error",
  not_found: "resource_not_found",
  conflict: "resource_conflict",
  forbidden: "forbidden_insufficient_permissions",
  quota_exceeded: "business_quota_exceeded",
  connection_failed: "connection_failed",
  statement_refused: "query_failed",
  sql_error: "query_failed",
  resources_exceeded: "query_failed",
  deadline_exceeded: "query_timeout",
  cancelled: "query_cancelled",
  busy: "engine_unavailable",
  platform_unavailable: "engine_unavailable",
  // Answered by sending the roles; one that comes again is a fault of ours.
  access_unknown: "internal_error",
};

/** The credential a reason points at, in the body that carried it. */
const POINTERS: Record<ConnectionReason, string> = {
  host_forbidden: "/credentials/host",
  dns: "/credentials/host",
  refused: "/credentials/port",
  unreachable: "/credentials/host",
  timeout: "/credentials/host",
  tls: "/credentials/sslmode",
  authentication: "/credentials/password",
  database_missing: "/credentials/database",
  other: "/credentials",
};

type PointsAt = "credentials" | "sql" | "cube_query";

/**
 * `secrets` never appear in the Problem, whatever a driver says. `pointsAt` is the part of the caller's body the
 * failure is about: the credentials of a connection being tested, or the statement.
 */
export function toProblem(
  failure: EngineFailure,
  pointsAt: PointsAt,
  secrets: readonly string[] = [],
  sql?: string,
): Problem {
  const message = redact(failure, secrets);
  if (failure.code === "connection_failed")
    return new ConnectionProblem(message, flawsOf(failure, message, pointsAt), failure.reason ?? "other");
  if (failure.code === "access_unknown") return new AccessUnknownProblem(CODES[failure.code], message);
  const position = failure.position === undefined || sql === undefined ? undefined : locate(sql, failure.position);
  const flaws = flawsOf(failure, message, pointsAt).map((flaw) => ({
    ...flaw,
    ...(position && { line: position.line, column: position.column }),
  }));
  const problem = new Problem(
    CODES[failure.code],
    failure.position === undefined ? message : `${message} (at character ${failure.position})`,
    flaws,
  );
  if (position) problem.location = position;
  return problem;
}

/** A position past the last character counts too: something is missing there. */
function locate(sql: string, position: number): SqlLocation {
  const lines = Array.from(sql)
    .slice(0, position - 1)
    .join("")
    .split("\n");
  return { position, line: lines.length, column: Array.from(lines.at(-1)!).length + 1 };
}

class ConnectionProblem extends Problem {
  readonly reason: ConnectionReason;

  constructor(message: string, flaws: Flaw[], reason: ConnectionReason) {
    super("connection_failed", message, flaws);
    this.reason = reason;
  }
}

class AccessUnknownProblem extends Problem {}

/** Whether the engine wants the roles of the digest it was sent. Of use only to whoever has called it. */
export const isAccessUnknown = (error: unknown): boolean => error instanceof AccessUnknownProblem;

/**
 * Whether a connection fails for as long as nobody changes something. Of use only to whoever has called the engine.
 */
export const isLasting = (error: unknown): boolean =>
  error instanceof ConnectionProblem && LASTING_REASONS.includes(error.reason);

function flawsOf({ code, reason = "other" }: EngineFailure, message: string, pointsAt: PointsAt): Flaw[] {
  if (code === "connection_failed")
    return pointsAt === "credentials" ? [{ pointer: POINTERS[reason], message: `${reason}: ${message}` }] : [];
  if (CODES[code] !== "query_failed" || pointsAt === "credentials") return [];
  return [{ pointer: `/${pointsAt}`, message }];
}

/**
 * Only a connection's failure can quote credentials. A secret too short to be cut out whole costs the whole message.
 */
function redact({ code, message, reason = "other" }: EngineFailure, secrets: readonly string[]): string {
  if (code !== "connection_failed") return message;
  const quoted = secrets.filter((secret) => secret !== "" && message.includes(secret));
  if (quoted.some((secret) => secret.length < 4)) return `The database could not be connected to (${reason}).`;
  return quoted.reduce((text, secret) => text.replaceAll(secret, "***"), message);
}
