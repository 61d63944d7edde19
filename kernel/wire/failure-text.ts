// The words that may be said of a failure, and its position in the SQL.

import type { FailureLocation } from "./statements/async-statement.ts";
import { publicKindOf } from "./public-failures.ts";
import type { EngineFailure } from "./engine.ts";
import { secretsOfCluster, type ClusterCredentials } from "./statements/cluster.ts";
import { secretsOf, type Source } from "./source.ts";

/** Why a statement may not write that reads as it should. */
export const WRITE_FORBIDDEN = "Writing to the lake needs the right lake:write.";

/** The part of a caller's body that a failure is about. */
export type StatementPart = "sql" | "cube_query" | "files";

/** The flaws of that part of the body; none for a failure that the caller's text did not cause. */
export const flawsOfStatement = (failure: EngineFailure, part: StatementPart, location?: FailureLocation) =>
  publicKindOf(failure).code === "query_failed"
    ? [
        {
          pointer: `/${part}`,
          message: failure.message,
          ...(location && { line: location.line, column: location.column }),
        },
      ]
    : [];

/** The message with the place that it is about. */
export const detailOf = ({ message, position }: EngineFailure): string =>
  position === undefined ? message : `${message} (at character ${position})`;

/** The parts of a statement, as it was sent, that the text of its failure depends on. */
export type FailedStatement = { part: StatementPart; sql?: string; target: FailedTarget };

type FailedTarget =
  | { kind: "source"; source: Source }
  | { kind: "cluster"; cluster: ClusterCredentials }
  | { kind: "lake" };

/** The secrets that a statement was sent with, which are taken out of every message. */
export function secretsOfTarget(target: FailedTarget): string[] {
  if (target.kind === "source") return secretsOf(target.source);
  return target.kind === "cluster" ? secretsOfCluster(target.cluster) : [];
}

/** `message` and `error` of a result that fails once it has begun, as the API has them in a failure of its own. */
export function publicFailureOf(failure: EngineFailure, { part, sql, target }: FailedStatement) {
  const redacted = { ...failure, message: redact(failure, secretsOfTarget(target)) };
  const { position } = failure;
  const location = position === undefined || sql === undefined ? undefined : locate(sql, position);
  return {
    message: detailOf(redacted),
    error: { ...publicKindOf(failure), flaws: flawsOfStatement(redacted, part, location), ...location },
  };
}
export type PublicFailure = ReturnType<typeof publicFailureOf>;

/** A position, in characters from 1. One past the last character counts too: something is missing there. */
export function locate(sql: string, position: number): FailureLocation {
  const lines = Array.from(sql)
    .slice(0, position - 1)
    .join("")
    .split("\n");
  return { position, line: lines.length, column: Array.from(lines.at(-1)!).length + 1 };
}

/**
 * The message without secrets. Only the failure of a connection, or of a source that can't be had, can quote
 * credentials. A secret too short to be cut out costs the whole message where it stands by itself; a part of a longer
 * word is no secret.
 */
export function redact({ code, message, reason = "other" }: EngineFailure, secrets: readonly string[]): string {
  if (code !== "connection_failed" && code !== "source_unavailable") return message;
  const quoted = secrets.filter((secret) => secret !== "" && message.includes(secret));
  const isShort = (secret: string): boolean => secret.length < 4;
  if (quoted.some((secret) => isShort(secret) && standsAlone(secret, message)))
    return `The database could not be connected to (${reason}).`;
  return quoted.filter((secret) => !isShort(secret)).reduce((text, secret) => text.replaceAll(secret, "***"), message);
}

const WORD = /^[\p{L}\p{N}_]+$/u;
const standsAlone = (secret: string, message: string): boolean =>
  !WORD.test(secret) || message.split(/[^\p{L}\p{N}_]+/u).includes(secret);
