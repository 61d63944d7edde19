// The engine's failures as Problems. Codes are mapped, messages are only passed on.

import {
  LASTING_REASONS,
  type ConnectionReason,
  type EngineFailureCode,
} from "../../../containers/engine/contract/constants/failures.ts";
import type { EngineFailure } from "../../../containers/engine/contract/protocol.ts";
import type { Source } from "../../../containers/engine/contract/source.ts";
import { locate, redact } from "../../../containers/engine/contract/failure-text.ts";
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
  queue_full: "too_many_requests",
  busy: "engine_unavailable",
  platform_unavailable: "engine_unavailable",
  // Answered by sending the roles; one that comes again is a fault of ours.
  access_unknown: "internal_error",
};

/** The credential a reason points at, in the body that carried it. */
type Pointers = Record<ConnectionReason, string>;
const SERVER_POINTERS: Pointers = {
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
const SERVICE_POINTERS: Pointers = {
  host_forbidden: "/credentials",
  dns: "/credentials",
  refused: "/credentials",
  unreachable: "/credentials",
  timeout: "/credentials",
  tls: "/credentials",
  authentication: "/credentials",
  database_missing: "/credentials",
  other: "/credentials",
};
/** Of kinds that have no host, no port and no `sslmode` among their credentials. */
const POINTERS: Partial<Record<Source["type"], Pointers>> = {
  bigquery: {
    ...SERVICE_POINTERS,
    authentication: "/credentials/credentials_json",
    database_missing: "/credentials/project_id",
  },
  snowflake: {
    ...SERVICE_POINTERS,
    host_forbidden: "/credentials/account",
    dns: "/credentials/account",
    authentication: "/credentials/password",
    database_missing: "/credentials/database",
  },
};

export type PointsAt = { credentialsOf: Source["type"] } | "sql" | "cube_query" | "files";

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
  const { position } = failure;
  const location = position === undefined || sql === undefined ? undefined : locate(sql, position);
  return problemOf({ ...failure, message: redact(failure, secrets) }, pointsAt, location);
}

/** The same of a failure that quotes no secret, and whose place in the SQL is known. */
export function problemOf(failure: EngineFailure, pointsAt: PointsAt, location?: SqlLocation): Problem {
  const { code, message, position } = failure;
  if (code === "connection_failed")
    return new Problem(connectionCodeOf(failure), message, flawsOf(failure, message, pointsAt));
  if (code === "access_unknown") return new AccessUnknownProblem(CODES[code], message);
  const flaws = flawsOf(failure, message, pointsAt).map((flaw) => ({
    ...flaw,
    ...(location && { line: location.line, column: location.column }),
  }));
  const detail = position === undefined ? message : `${message} (at character ${position})`;
  const problem = new Problem(CODES[code], detail, flaws);
  if (location) problem.location = location;
  if (failure.retryAfterSeconds !== undefined) problem.retryAfterSeconds = failure.retryAfterSeconds;
  return problem;
}

const connectionCodeOf = ({ reason = "other" }: EngineFailure): ProblemCode =>
  LASTING_REASONS.includes(reason) ? "connection_failed" : "source_unreachable";

class AccessUnknownProblem extends Problem {}

/** Whether the engine wants the roles of the digest it was sent. Of use only to whoever has called it. */
export const isAccessUnknown = (error: unknown): boolean => error instanceof AccessUnknownProblem;

function flawsOf({ code, reason = "other" }: EngineFailure, message: string, pointsAt: PointsAt): Flaw[] {
  if (code === "connection_failed")
    return typeof pointsAt === "object"
      ? [{ pointer: pointerTo(pointsAt, reason), message: `${reason}: ${message}` }]
      : [];
  if (CODES[code] !== "query_failed" || typeof pointsAt === "object") return [];
  return [{ pointer: `/${pointsAt}`, message }];
}

const pointerTo = ({ credentialsOf }: { credentialsOf: Source["type"] }, reason: ConnectionReason): string =>
  (POINTERS[credentialsOf] ?? SERVER_POINTERS)[reason];
