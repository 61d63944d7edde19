// The only file that knows how a Problem becomes the one failure document, or what clients of Cube and of Iceberg read.

import { pointerStep } from "../../kernel/text/json-pointer.ts";
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ZodError } from "zod";
import { REQUEST_LIMITS } from "./request/limits.ts";
import { isProblem, Problem, PROBLEMS, type Flaw } from "../core/problem.ts";
import { cubeFailure, isCubePath } from "./foreign-failures/cube-failure.ts";
import { icebergFailure, isIcebergPath } from "./foreign-failures/iceberg-failure.ts";
import { metaOf } from "./meta.ts";
import type { AppEnv } from "./app-env.ts";

/** Seconds a client should wait before it repeats a retryable request. */
const RETRY_AFTER_SECONDS = 2;

export function answerProblem(error: Error, c: Context<AppEnv>): Response {
  return render(toProblem(error), c);
}

type Validated = { success: boolean; error?: ZodError; target?: string };

export const answerInvalid = (result: Validated, c: Context<AppEnv>): Response | undefined => {
  if (result.success || !result.error) return undefined;
  return render(
    new Problem("validation_failed", "One or more fields are not valid.", flawsOf(result.error, result.target)),
    c,
  );
};

/** Version 3 answers 400 where the others answer 422. */
export function answerProblemAs400(error: Error, c: Context<AppEnv>): Response {
  const problem = toProblem(error);
  return render(
    problem.code === "validation_failed" ? new Problem("invalid_request", problem.message, problem.flaws) : problem,
    c,
  );
}

export const answerInvalidAs400 = (result: Validated, c: Context<AppEnv>): Response | undefined => {
  if (result.success || !result.error) return undefined;
  return answerProblemAs400(
    new Problem("validation_failed", "One or more fields are not valid.", flawsOf(result.error, result.target)),
    c,
  );
};

/**
 * Every flaw at once; an unknown key is a flaw at its own pointer. `target` is where the input came from: `json`,
 * `query`, `header`, `param`.
 */
export function flawsOf(error: ZodError, target = "json"): Flaw[] {
  const root = target === "json" ? "" : target === "param" ? "/path" : `/${target}`;
  return flawsByKind(error).map(({ pointer, message }) => ({ pointer: root + pointer, message }));
}

/** Every flaw, each with whether all that is wrong is that nothing knows the key. */
export function flawsByKind(error: ZodError): (Flaw & { isUnknownKey: boolean })[] {
  return flatten(error.issues).flatMap(({ issue, path }): (Flaw & { isUnknownKey: boolean })[] => {
    const at = (steps: PropertyKey[]) => steps.map((step) => pointerStep(String(step))).join("");
    if (issue.code !== "unrecognized_keys") return [{ pointer: at(path), message: issue.message, isUnknownKey: false }];
    const message = "This field is not known here.";
    return issue.keys.map((key) => ({ pointer: at([...path, key]), message, isUnknownKey: true }));
  });
}

type Issue = ZodError["issues"][number];
type Located = { issue: Issue; path: PropertyKey[] };

/** A union that failed reports the flaws of its nearest branch: the one with the fewest. */
function flatten(issues: Issue[], base: PropertyKey[] = []): Located[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    // A record's key has what is wrong with it as issues of its own.
    if (issue.code === "invalid_key") return issue.issues.map((inner) => ({ issue: inner as Issue, path }));
    if (issue.code !== "invalid_union" || issue.errors.length === 0) return [{ issue, path }];
    const branches = issue.errors.map((branch) => flatten(branch, path));
    return branches.reduce((nearest, branch) => (branch.length < nearest.length ? branch : nearest));
  });
}

function toProblem(error: Error): Problem {
  if (isProblem(error)) return error;
  // The framework itself refuses a body that is no JSON, and one of another content type.
  if (error instanceof HTTPException && error.status === 400) {
    return new Problem(
      "validation_failed",
      "The body is not valid JSON.",
      [{ pointer: "", message: "This is not valid JSON." }],
      { cause: error },
    );
  }
  if (error instanceof HTTPException && error.status === 415) {
    return new Problem("unsupported_media_type", "Send the body as `Content-Type: application/json`.", [], {
      cause: error,
    });
  }
  return new Problem("internal_error", "unexpected", [], { cause: error });
}

function render(problem: Problem, c: Context<AppEnv>): Response {
  const { status, title, retryable } = PROBLEMS[problem.code];
  if (status >= 500) logProblem(problem, c);
  // A bug keeps its reasons in the log; the caller gets the request id to quote. A full engine is worth explaining.
  const message =
    problem.code === "internal_error" ? "Something broke on our side; quote the request id." : messageOf(problem);
  if (retryable) c.header("Retry-After", String(problem.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  if (status === 401) c.header("WWW-Authenticate", "Bearer");
  if (isCubePath(c.req.path)) {
    const failure = cubeFailure(problem, message);
    return c.json(failure.body, failure.status as ContentfulStatusCode);
  }
  if (isIcebergPath(c.req.path)) {
    const failure = icebergFailure(problem, message, c.req.path);
    return c.json(failure.body, failure.status as ContentfulStatusCode);
  }
  const flaws = problem.flaws.slice(0, REQUEST_LIMITS.flawsReportedMax);
  const body = {
    success: false,
    message,
    error: {
      code: problem.code,
      title,
      status,
      retryable,
      flaws,
      ...problem.location,
      ...conflictOf(problem),
      ...quotaOf(problem),
    },
    meta: metaOf({ requestId: c.get("requestId"), startedAt: c.get("startedAt") }),
  };
  return c.json(body, status as ContentfulStatusCode);
}

const conflictOf = ({ conflictsWith }: Problem) => (conflictsWith ? { conflictsWith } : {});

const quotaOf = ({ quota }: Problem) => (quota ? { quota } : {});

/** One flaw alone is all there is to say. */
function messageOf({ code, message, flaws: [flaw, ...others] }: Problem): string {
  if (!flaw || others.length > 0 || (code !== "validation_failed" && code !== "invalid_request")) return message;
  const said = message.includes(flaw.message) ? message : flaw.message;
  return flaw.pointer === "" || said.includes(flaw.pointer) ? said : `${flaw.pointer}: ${said}`;
}

function logProblem(problem: Problem, c: Context<AppEnv>): void {
  const cause = describeCause(problem.cause ?? problem);
  console.error(
    JSON.stringify({ event: "problem", code: problem.code, requestId: c.get("requestId"), path: loggedPath(c), cause }),
  );
}

/** The path of a link to a file is a secret, which no log is told. */
const loggedPath = (c: Context<AppEnv>): string => c.req.path.replace(/^(\/f\/).*/, "$1…");

/**
 * The innermost reason. A failed query's own text holds its parameters, which may be a caller's secrets: its cause does
 * not.
 */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return describeCause(error.cause);
  return error.stack ?? String(error);
}
