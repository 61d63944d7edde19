// Errors of a cluster and of the network become failures in the engine's words; only codes and names decide which.

import { z } from "zod";
import { originalPlace, type Edit } from "../../../../kernel/text/edits.ts";
import { Failure } from "../../core/failure.ts";
import { explainNetwork, networkReason } from "../../sources/network-errors.ts";
import { protocolError } from "../../sources/protocol-error.ts";
import { explainCertificate } from "../../sources/tls.ts";
import { sourceUnavailable } from "../../sources/unavailable.ts";

const TEXT_CHARACTERS_MAX = 4_000;
/** The causes that are looked at of an error, from the outermost on. */
const CAUSES_MAX = 20;

/** Throws a Failure. */
export const protocolViolation = (what: string): never => {
  throw protocolError("Trino", what);
};

export const ErrorBody = z.object({
  message: z.string().catch(""),
  errorName: z.string(),
  errorType: z.string(),
  errorLocation: z.object({ lineNumber: z.number().int(), columnNumber: z.number().int() }).nullish().catch(undefined),
  failureInfo: z.unknown().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The cluster ended a statement with this error. */
export class ClusterError extends Error {
  readonly errorName: string;
  readonly errorType: string;
  readonly location: { lineNumber: number; columnNumber: number } | undefined;
  /** The names of the classes of the error and its causes. */
  readonly causes: readonly string[];

  constructor({ message, errorName, errorType, errorLocation, failureInfo }: ErrorBody) {
    super(message.slice(0, TEXT_CHARACTERS_MAX) || "no message");
    this.errorName = /^\w{1,100}$/.test(errorName) ? errorName : "UNKNOWN";
    this.errorType = errorType;
    this.location = errorLocation ?? undefined;
    this.causes = causesOf(failureInfo);
  }
}

function causesOf(info: unknown): string[] {
  const causes: string[] = [];
  for (let at = info; typeof at === "object" && at !== null && causes.length < CAUSES_MAX; ) {
    const { type, cause } = at as { type?: unknown; cause?: unknown };
    if (typeof type === "string") causes.push(type.slice(0, 200));
    at = cause;
  }
  return causes;
}

/** The cluster could not be asked: nothing answered, or what stands before it says that it is away. */
export class ClusterAway extends Error {}

/** The reasons of Trino's own for which a statement may succeed a moment later, before it has begun. */
const STARTING = ["NO_NODES_AVAILABLE", "SERVER_STARTING_UP"];
export const isStarting = (error: unknown): boolean =>
  error instanceof ClusterError && STARTING.includes(error.errorName);

/** A node of the cluster was lost, or could not be reached by another. */
const NODE_LOST = [
  "ABANDONED_TASK",
  "NO_NODES_AVAILABLE",
  "PAGE_TRANSPORT_ERROR",
  "PAGE_TRANSPORT_TIMEOUT",
  "REMOTE_HOST_GONE",
  "REMOTE_TASK_ERROR",
  "REMOTE_TASK_FAILED",
  "REMOTE_TASK_MISMATCH",
  "SERVER_SHUTTING_DOWN",
  "SERVER_STARTING_UP",
  "TOO_MANY_REQUESTS_FAILED",
];
/** Trino's own words have addresses of its nodes. */
const LOST = "A node of the cluster was lost while the statement ran, so that none of its rows count";
const KEY_REFUSED = ["NotAuthorizedException", "ForbiddenException"];
/** The errors of a cluster's own limits of time. */
const DEADLINES = ["EXCEEDED_TIME_LIMIT"];

/** `edits` are those by which `sql`, the caller's text, became the cluster's. */
export type SentText = { sql: string; edited: string; edits: readonly Edit[] };

/** The failure of a statement. Anything else that was thrown is answered as it is. */
export function statementFailure(error: unknown, sent?: SentText): unknown {
  if (error instanceof ClusterAway) return sourceUnavailable("service_failure", error.message, { error });
  if (!(error instanceof ClusterError)) return error instanceof Failure ? error : connectionFailure(error);
  const { errorName, errorType, message } = error;
  if (isKeyRefused(error)) return keyRefused(error);
  const text = `${withoutPlace(message)} (${errorName})`;
  if (NODE_LOST.includes(errorName)) return sourceUnavailable("service_failure", `${LOST} (${errorName})`, { error });
  if (DEADLINES.includes(errorName)) return new Failure("deadline_exceeded", text, { cause: error });
  if (errorType === "INSUFFICIENT_RESOURCES") return new Failure("resources_exceeded", text, { cause: error });
  if (errorType === "EXTERNAL") return sourceUnavailable("service_failure", text, { error });
  return new Failure("sql_error", text, { position: sent && positionOf(error, sent), cause: error });
}

/** Whether the lake's catalog refuses the key that the cluster has for it. */
export const isKeyRefused = ({ errorType, causes }: ClusterError): boolean =>
  errorType !== "USER_ERROR" && causes.some((cause) => KEY_REFUSED.some((name) => cause.endsWith(`.${name}`)));

export const keyRefused = (cause: unknown): Failure =>
  new Failure(
    "connection_failed",
    "The lake refuses the key that the cluster's catalog has for it: the key was revoked, or has ended. Make the " +
      "integration a new key, and put it into the catalog's file.",
    { reason: "lake_key_refused", cause },
  );

/** Trino puts the place in front of its words, as it is in the text that it was sent. */
const withoutPlace = (message: string): string => message.replace(/^line \d+:\d+: /, "");

/** The place in the caller's text, in characters from 1. */
function positionOf({ location }: ClusterError, { sql, edited, edits }: SentText): number | undefined {
  if (!location) return undefined;
  const lines = edited.split("\n");
  const line = lines[location.lineNumber - 1];
  if (line === undefined || location.columnNumber < 1) return undefined;
  const before = lines.slice(0, location.lineNumber - 1).reduce((sum, { length }) => sum + length + 1, 0);
  const within = [...line].slice(0, location.columnNumber - 1).join("").length;
  return [...sql.slice(0, originalPlace(edits, before + within))].length + 1;
}

/** The failure of a connection that was not made, or broke. */
export function connectionFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const source = error instanceof ClusterAway ? (error.cause ?? error) : error;
  if (source instanceof Failure) return source;
  const certificate = explainCertificate(source, ["sslrootcert"]);
  if (certificate !== undefined) return new Failure("connection_failed", certificate, { reason: "tls", cause: error });
  const { code = "", name } = source as { code?: string; name?: string };
  const reason = name === "TimeoutError" ? "timeout" : (networkReason(code) ?? "other");
  const message = explainNetwork(reason) ?? "The connection to the cluster broke before its answer was whole.";
  return new Failure("connection_failed", message, { reason, cause: error });
}
