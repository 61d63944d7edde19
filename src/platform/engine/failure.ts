// The engine's failures as Problems. Codes are mapped, messages are only passed on.

import type { ConnectionReason } from "../../../kernel/wire/failures.ts";
import type { EngineFailure } from "../../../kernel/wire/engine.ts";
import type { Source } from "../../../kernel/wire/source.ts";
import { publicKindOf } from "../../../kernel/wire/public-failures.ts";
import { detailOf, flawsOfStatement, locate, redact, type StatementPart } from "../../../kernel/wire/failure-text.ts";
import { Problem, type Flaw, type PROBLEMS, type ProblemCode, type SqlLocation } from "../../core/problem.ts";

/** Status, title and retry advice of each are those of the catalogue. */
type CataloguedProblem = { [Code in ProblemCode]: { code: Code } & (typeof PROBLEMS)[Code] }[ProblemCode];
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
  version_unsupported: "/credentials",
  lake_key_refused: "/credentials",
  lake_differs: "/credentials",
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
  version_unsupported: "/credentials",
  lake_key_refused: "/credentials",
  lake_differs: "/credentials",
  other: "/credentials",
};
/** Pointers for sources that have no host, no port and no `sslmode` among their credentials. */
const POINTERS: Partial<Record<Credentialed, Pointers>> = {
  trino: {
    ...SERVICE_POINTERS,
    host_forbidden: "/credentials/url",
    dns: "/credentials/url",
    refused: "/credentials/url",
    unreachable: "/credentials/url",
    timeout: "/credentials/url",
    tls: "/credentials/sslrootcert",
    database_missing: "/credentials/catalog",
    lake_key_refused: "/credentials/catalog",
    lake_differs: "/credentials/catalog",
  },
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

/** A team's own Trino is no source, but has credentials. */
type Credentialed = Source["type"] | "trino";
export type PointsAt = { credentialsOf: Credentialed } | StatementPart;

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

/** The failure quotes no secret, and its place in the SQL is known. */
export function problemOf(failure: EngineFailure, pointsAt: PointsAt, location?: SqlLocation): Problem {
  const { code }: CataloguedProblem = publicKindOf(failure);
  if (failure.code === "access_unknown") return new AccessUnknownProblem(code, failure.message);
  const problem = new Problem(code, detailOf(failure), flawsOf(failure, pointsAt, location));
  if (location) problem.location = location;
  if (failure.retryAfterSeconds !== undefined) problem.retryAfterSeconds = failure.retryAfterSeconds;
  if (failure.isRead) problem.isRead = true;
  if (failure.code === "resources_exceeded") problem.isOutOfMemory = true;
  return problem;
}

class AccessUnknownProblem extends Problem {}

/** Whether the engine wants the roles of the digest it was sent: for its callers alone. */
export const isAccessUnknown = (error: unknown): boolean => error instanceof AccessUnknownProblem;

function flawsOf(failure: EngineFailure, pointsAt: PointsAt, location?: SqlLocation): Flaw[] {
  if (typeof pointsAt !== "object") return flawsOfStatement(failure, pointsAt, location);
  const { code, message, reason = "other" } = failure;
  return code === "connection_failed"
    ? [{ pointer: pointerTo(pointsAt, reason), message: `${reason}: ${message}` }]
    : [];
}

const pointerTo = ({ credentialsOf }: { credentialsOf: Credentialed }, reason: ConnectionReason): string =>
  (POINTERS[credentialsOf] ?? SERVER_POINTERS)[reason];
