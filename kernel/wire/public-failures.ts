// The API shows each failure of the engine under a code, a status and a title of its own. The engine writes it into
// results that have begun, the Worker answers with it otherwise; `src/platform/engine/failure.ts` holds it to the
// catalogue `src/core/problem.ts`.

import type { EngineFailure } from "./engine.ts";
import { LASTING_REASONS, type EngineFailureCode } from "./failures.ts";

const INTERNAL = { code: "internal_error", status: 500, title: "Internal Error", retryable: true } as const;
const ENGINE = { code: "engine_unavailable", status: 503, title: "Engine Unavailable", retryable: true } as const;
/** A connection that may succeed later without any change. */
const UNREACHABLE = { code: "source_unreachable", status: 400, title: "Connection Failed", retryable: true } as const;
const QUERY = { code: "query_failed", status: 400, title: "Query Failed", retryable: false } as const;

const PUBLIC_FAILURES = {
  // The Worker speaks to the engine by schema, as the holder of its secret: either failure is a fault of ours.
  bad_request: INTERNAL,
  unauthorized: ENGINE,
  internal: INTERNAL,
  not_found: { code: "resource_not_found", status: 404, title: "Resource Not Found", retryable: false },
  conflict: { code: "resource_conflict", status: 409, title: "Resource Conflict", retryable: false },
  id_running: { code: "work_in_progress", status: 409, title: "Resource Conflict", retryable: true },
  forbidden: {
    code: "forbidden_insufficient_permissions",
    status: 403,
    title: "Forbidden Insufficient Permissions",
    retryable: false,
  },
  quota_exceeded: { code: "business_quota_exceeded", status: 426, title: "Business Quota Exceeded", retryable: false },
  connection_failed: { code: "connection_failed", status: 400, title: "Connection Failed", retryable: false },
  source_unavailable: { code: "source_unavailable", status: 503, title: "Source Unavailable", retryable: true },
  statement_refused: QUERY,
  sql_error: QUERY,
  resources_exceeded: QUERY,
  process_killed: ENGINE,
  deadline_exceeded: { code: "query_timeout", status: 408, title: "Query Timeout", retryable: false },
  cancelled: { code: "query_cancelled", status: 499, title: "Query Cancelled", retryable: false },
  queue_full: { code: "too_many_requests", status: 429, title: "Too Many Requests", retryable: true },
  busy: ENGINE,
  stopping: ENGINE,
  disk_full: ENGINE,
  platform_unavailable: ENGINE,
  // Answered by sending the roles; one that comes again is a fault of ours.
  access_unknown: INTERNAL,
} as const satisfies Record<EngineFailureCode, { code: string; status: number; title: string; retryable: boolean }>;

/** Code, status, title and retry advice of a failure. */
export const publicKindOf = ({ code, reason = "other" }: Pick<EngineFailure, "code" | "reason">) =>
  code === "connection_failed" && !LASTING_REASONS.includes(reason) ? UNREACHABLE : PUBLIC_FAILURES[code];
