// Every way the product can fail, and the one error class that says so.

/**
 * Code, HTTP status, title and retry advice share a line, so none can drift from the others. The title is the label of
 * the status in the specification; codes of one title differ in what cures the failure.
 */
export const PROBLEMS = {
  invalid_request: { status: 400, title: "Invalid Request", retryable: false },
  invalid_path: { status: 400, title: "Invalid Path", retryable: false },
  query_failed: { status: 400, title: "Query Failed", retryable: false },
  // A connection fails for as long as nobody changes something; a source that is unreachable may come back by itself.
  connection_failed: { status: 400, title: "Connection Failed", retryable: false },
  source_unreachable: { status: 400, title: "Connection Failed", retryable: true },
  auth_invalid_token: { status: 401, title: "Auth Invalid Token", retryable: false },
  // Version 3 answers 403 where the others answer 401.
  forbidden_invalid_key: { status: 403, title: "Forbidden Insufficient Permissions", retryable: false },
  forbidden_insufficient_permissions: { status: 403, title: "Forbidden Insufficient Permissions", retryable: false },
  // The rows or cells of a table that the caller sees are DuckDB's to pick: another engine would read the others, too.
  heavy_engine_restricted: { status: 403, title: "Forbidden Insufficient Permissions", retryable: false },
  resource_not_found: { status: 404, title: "Resource Not Found", retryable: false },
  method_not_allowed: { status: 405, title: "Method Not Allowed", retryable: false },
  not_acceptable: { status: 406, title: "Not Acceptable", retryable: false },
  query_timeout: { status: 408, title: "Query Timeout", retryable: false },
  resource_conflict: { status: 409, title: "Resource Conflict", retryable: false },
  write_committed: { status: 409, title: "Resource Conflict", retryable: false },
  // The conflict ends with the work that is in the way.
  work_in_progress: { status: 409, title: "Resource Conflict", retryable: true },
  precondition_failed: { status: 412, title: "Precondition Failed", retryable: false },
  body_too_large: { status: 413, title: "Body Too Large", retryable: false },
  unsupported_media_type: { status: 415, title: "Unsupported Media Type", retryable: false },
  recipient_not_allowed: { status: 422, title: "Validation Failed", retryable: false },
  validation_failed: { status: 422, title: "Validation Failed", retryable: false },
  business_quota_exceeded: { status: 426, title: "Business Quota Exceeded", retryable: false },
  // The plan's bound is on use that begins anew with the month.
  monthly_quota_exceeded: { status: 426, title: "Business Quota Exceeded", retryable: true },
  too_many_requests: { status: 429, title: "Too Many Requests", retryable: true },
  query_cancelled: { status: 499, title: "Query Cancelled", retryable: false },
  write_outcome_unknown: { status: 500, title: "Internal Error", retryable: false },
  internal_error: { status: 500, title: "Internal Error", retryable: true },
  sandbox_unavailable: { status: 503, title: "Sandbox Unavailable", retryable: true },
  source_unavailable: { status: 503, title: "Source Unavailable", retryable: true },
  mail_unavailable: { status: 503, title: "Mail Unavailable", retryable: false },
  engine_unavailable: { status: 503, title: "Engine Unavailable", retryable: true },
} as const satisfies Record<string, { status: number; title: string; retryable: boolean }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** A flaw in one input; `pointer` is a JSON pointer into the body, or `/query/<name>`, `/header/<name>` outside it. */
export type Flaw = {
  pointer: string;
  message: string;
  /** Where in the text that was sent, both from 1; of definitions only. */
  line?: number;
  column?: number;
  /** The file, and the `cube` or `cube.member`, that a flaw of a semantic model is about. */
  file?: string;
  member?: string;
};

/** Where in an SQL statement that was sent: `position` counts Unicode characters, all count from 1. */
export type SqlLocation = { position: number; line: number; column: number };

export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly flaws: Flaw[];
  /** Where in its SQL a statement failed; only problems of statements have it. */
  location?: SqlLocation;
  /** The plan's bound that is reached: what is full, and when its use begins anew. */
  quota?: Readonly<{ what: string; limit: number; used: number; resetsAt: string | null }>;
  /** After how long a retry may succeed, where that is known. */
  retryAfterSeconds?: number;
  /** The engine says that the statement only reads: whoever may write has nothing to look for in the lake. */
  isRead?: true;
  /** One statement may have no more memory than the engine gave it: a larger engine may run it. */
  isOutOfMemory?: true;
  /** Ids of what is in the way; only some conflicts have them. */
  conflictsWith?: readonly string[];

  /** `detail` of a 4xx is written for the caller and says what to do; that of a 5xx reaches only the log. */
  constructor(code: ProblemCode, detail: string, flaws: Flaw[] = [], options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
    this.flaws = flaws;
  }
}

/** Recognises a Problem by shape: one thrown inside a Durable Object arrives without its class. */
export function isProblem(error: unknown): error is Problem {
  return (
    error instanceof Error && error.name === "Problem" && "code" in error && Object.hasOwn(PROBLEMS, String(error.code))
  );
}

/** Another team's resource answers exactly as a missing one. */
export const notFound = (what: string, id: string): Problem =>
  new Problem("resource_not_found", `${what} ${id} was not found.`);

/** One flaw of an input, which is all that is wrong. `detail`: what is said of the whole, where that is more. */
export const invalidAt = (pointer: string, message: string, detail = message): Problem =>
  new Problem("validation_failed", detail, [{ pointer, message }]);

/** A handler of failures: `value` stands for what is not there; any other failure stays as it is. */
export const ifMissing =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (!isProblem(error) || error.code !== "resource_not_found") throw error;
    return value;
  };

/**
 * Rejects an input that names something. What is not there is a flaw at the pointer; any other failure stays as it is,
 * for it says nothing about the input.
 */
export const missingAt =
  (pointer: string) =>
  (error: unknown): never => {
    if (!isProblem(error) || error.code !== "resource_not_found") throw error;
    throw invalidAt(pointer, error.message);
  };
