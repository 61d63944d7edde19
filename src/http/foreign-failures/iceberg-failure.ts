// A failure as clients of an Iceberg REST catalog read it, which tell them apart by status and by the name of a type.

import { type Problem, PROBLEMS, type ProblemCode } from "../../core/problem.ts";

/** Under it every answer has the form of Iceberg's REST catalog. */
export const ICEBERG_API = "/iceberg";

export const isIcebergPath = (path: string): boolean => path.startsWith(`${ICEBERG_API}/`);

type Status = (typeof PROBLEMS)[ProblemCode]["status"];

/** The names are those of the specification, and of its first implementation where that has more. */
const TYPES: Record<Status, string> = {
  400: "BadRequestException",
  401: "NotAuthorizedException",
  403: "ForbiddenException",
  404: "NotFoundException",
  405: "UnsupportedOperationException",
  406: "UnsupportedOperationException",
  408: "ServiceUnavailableException",
  409: "ConflictException",
  412: "PreconditionFailedException",
  413: "BadRequestException",
  415: "BadRequestException",
  422: "BadRequestException",
  426: "QuotaExceededException",
  429: "SlowDownException",
  499: "CancelledException",
  500: "InternalServerError",
  503: "ServiceUnavailableException",
};

/**
 * Which of its names a client did not find. A table's path is about a table even where its schema is missing: Spark
 * asks for `schema.table.snapshots` as a table before it takes it for a part of one.
 */
const MISSING: readonly [path: RegExp, type: string][] = [
  [/\/namespaces\/[^/]+\/tables\/[^/]+/, "NoSuchTableException"],
  [/\/namespaces\/[^/]+/, "NoSuchNamespaceException"],
  [/\/v1\/config$/, "NoSuchWarehouseException"],
];

/** `message` is what the one failure document would say. Whatever is invalid is 400, as in the specification. */
export function icebergFailure(
  problem: Problem,
  message: string,
  path: string,
): { status: number; body: { error: { message: string; type: string; code: number } } } {
  const { status } = PROBLEMS[problem.code === "validation_failed" ? "invalid_request" : problem.code];
  const missing = status === 404 ? MISSING.find(([pattern]) => pattern.test(path))?.[1] : undefined;
  return { status, body: { error: { message, type: missing ?? TYPES[status], code: status } } };
}
