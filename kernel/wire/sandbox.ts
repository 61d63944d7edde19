// The sandbox's written contract: what the Worker may ask of it, what it answers, and what it asks of the platform.
// Both sides parse what the other sends. A change that an older peer would misread raises PROTOCOL.

import { z } from "zod";
import type { SettingKinds } from "./settings.ts";

export const PROTOCOL = 3;

/**
 * Every answer of the sandbox carries this header with the protocol's number; an answer without it is not the
 * sandbox's.
 */
export const SANDBOX_VERSION_HEADER = "x-fjord-sandbox";

/** The port the sandbox listens on inside its container; a supervisor may set `PORT` instead. */
export const SANDBOX_PORT = 8081;

/** Strongest first. `bwrap`: its own namespaces. `landlock`: kernel rules on paths and ports. `bare`: limits only. */
export const JAIL_KINDS = ["bwrap", "landlock", "bare"] as const;
export type JailKind = (typeof JAIL_KINDS)[number];

/** The settings of an installation, by the names of its variables; `settings.ts` says what they mean. */
export const SANDBOX_SETTINGS = {
  SANDBOX_MEMORY_MB: "positive",
  SANDBOX_PROCESSES: "positive",
  SANDBOX_FILE_MB: "positive",
  SANDBOX_DISK_MB: "positive",
  SANDBOX_FILES: "positive",
  SANDBOX_CELLS: "positive",
  SANDBOX_WARM_CELLS: "whole",
  SANDBOX_JAIL: JAIL_KINDS,
  SANDBOX_DRIVE: ["mount", "mirror"],
  SANDBOX_DRIVE_MB: "positive",
  SANDBOX_DRIVE_FILES: "positive",
  SANDBOX_DRIVE_USER: "text",
  SANDBOX_DIR: "text",
  SANDBOX_CACHE_DIR: "text",
  SANDBOX_PYTHON: "text",
} as const satisfies SettingKinds;
export type SandboxSettingName = keyof typeof SANDBOX_SETTINGS;

/** The environment a sandbox is started with. */
export type SandboxEnvironment = Partial<Record<SandboxSettingName, string>> & {
  /** Bearer secret of this boot; the sandbox answers nobody else, and no run ever sees it. */
  SANDBOX_SECRET: string;
  /** Base URL at which the sandbox's parent reaches the platform, and to which its proxy lets runs through. */
  PLATFORM_URL: string;
  /** `host:port` to connect to instead of a signed URL's own; the Host header stays. Empty: no override. */
  S3_DIAL: string;
  /** Where signed URLs of the object store point: of it, runs reach signed URLs of their team's drive. */
  S3_ENDPOINT: string;
  /** `yes` lets a jail that is weaker than uids and Landlock or namespaces run code: development only. */
  WEAK_JAIL_ALLOWED: "" | "yes";
};

// ── The envelope ───────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * PUT /runs/{runId}/envelope, the webhook's raw body as it came, streamed: `{data?, environmentVariables?,
 * datasetKeys?}`.
 * The exact bytes of `data` are kept for the run; nothing runs yet. An envelope that is not started within
 * ENVELOPE_KEPT_MS is forgotten. Answers {@link EnvelopeReport}, or 422 {@link SandboxFailure} `envelope_refused` with
 * flaws.
 */
export const ENVELOPE_KEPT_MS = 60_000;
export const EnvelopeReport = z.object({
  /** Null: not given, so every Python dataset of the doc. */
  datasetKeys: z.array(z.string()).nullable(),
  environmentNames: z.array(z.string()),
  /** Null: there is no `data` in the envelope. */
  dataBytes: z.number().int().nullable(),
});
export type EnvelopeReport = z.infer<typeof EnvelopeReport>;

// ── Runs ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A frame under a name: `ref` is another dataset of the run. */
export const DatasetInput = z.strictObject({ ref: z.string(), as: z.string() });

const common = {
  key: z.string(),
  executionId: z.string(),
  dependsOn: z.array(z.string()),
  timeoutMs: z.number().int().positive(),
  /** Its rows become a table of the lake: they are staged, and published with those of the others. */
  isStaged: z.boolean().optional(),
};
/** A dataset of a run. SQL and Cube datasets are asked of the platform's own `/v1/query` with the run's key. */
export const RunDataset = z.discriminatedUnion("engine", [
  z.strictObject({
    ...common,
    engine: z.literal("python"),
    code: z.string(),
    inputs: z.array(DatasetInput),
    requirements: z.array(z.string()),
  }),
  z.strictObject({
    ...common,
    engine: z.literal("sql"),
    sql: z.string(),
    /** As `/v1/query` takes them. */
    parameters: z.record(z.string(), z.unknown()).optional(),
    integrationId: z.string().nullable(),
  }),
  z.strictObject({
    ...common,
    engine: z.literal("cube"),
    query: z.record(z.string(), z.unknown()),
    integrationId: z.string().nullable(),
  }),
  /** A dataset that an earlier run has staged: its rows are there. */
  z.strictObject({ ...common, engine: z.literal("staged") }),
]);
export type RunDataset = z.infer<typeof RunDataset>;

/**
 * POST /runs/{runId}: runs datasets in the order their dependencies ask for. The answer is held until the run has ended
 * and is then a {@link RunReport}; white space comes before it as a sign of life. Going away cancels nothing: the same
 * POST again waits for the same run. `DELETE /runs/{runId}` cancels → 204, or 404.
 *
 * POST /runs/{runId}/start: the same, answered 202 as soon as the sandbox has the order. Such a run asks the platform
 * by a heartbeat whether it is still wanted before it does anything, so an order that its sender has given up in the
 * meantime does nothing.
 */
export const RunOrder = z.strictObject({
  runId: z.string(),
  teamId: z.string(),
  docId: z.string(),
  /** Calls `/internal/runs/{runId}/…` on the platform; dies with the run. */
  token: z.string(),
  /** The key that the code gets as SERVICE_API_KEY and DEFINITE_API_KEY. */
  apiKey: z.string(),
  /** From start to the last report; what runs then is killed. */
  deadlineMs: z.number().int().positive(),
  /** The envelope sent before under this run's id is the run's; false: there is none. */
  hasEnvelope: z.boolean(),
  /** Beside the platform: may the code reach the public internet? */
  internet: z.boolean(),
  /** Closed under `dependsOn` and `inputs`, free of cycles. */
  datasets: z.array(RunDataset).min(1).max(200),
  /** The time for publishing what was staged, once all datasets have succeeded; absent where nothing is. */
  publishMs: z.number().int().positive().optional(),
});
export type RunOrder = z.infer<typeof RunOrder>;

/** `table`: the rows are staged in the lake. */
export const ResultKind = z.enum(["frame", "records", "json", "none", "table"]);

/**
 * Why a dataset failed, where the platform goes by it. `write_outcome_unknown`: its statement may be written, so that
 * another attempt might write twice. `lake_write_denied`: its user may not write to the lake now. `tests_failed`: the
 * table that it builds fails a test. `not_published`: it has succeeded, and the run's tables stay as they were.
 */
export const DATASET_ERROR_CODES = [
  "write_outcome_unknown",
  "lake_write_denied",
  "tests_failed",
  "not_published",
] as const;
export type DatasetErrorCode = (typeof DATASET_ERROR_CODES)[number];

/** How one dataset went. `error` is for the doc's author: the traceback's last line, a limit that was hit. */
export const DatasetReport = z.object({
  key: z.string(),
  executionId: z.string(),
  success: z.boolean(),
  /** Not run: something it depends on failed, or the run was cancelled. */
  skipped: z.boolean(),
  error: z.string().max(16_384).nullable(),
  /** A sandbox of before says none. */
  errorCode: z.enum(DATASET_ERROR_CODES).nullable().default(null),
  /** The last lines of the traceback, where there is one. */
  traceback: z.string().max(65_536).nullable(),
  startedAt: z.iso.datetime().nullable(),
  durationMs: z.number().nonnegative(),
  peakBytes: z.number().int().nonnegative().nullable(),
  result: z
    .object({
      kind: ResultKind,
      rows: z.number().int().nullable(),
      bytes: z.number().int(),
      columns: z.array(z.object({ name: z.string(), type: z.string() })).nullable(),
      path: z.string().nullable(),
    })
    .nullable(),
});
export type DatasetReport = z.infer<typeof DatasetReport>;

export const RunReport = z.object({
  runId: z.string(),
  outcome: z.enum(["succeeded", "failed", "cancelled", "timed_out"]),
  error: z.string().nullable(),
  datasets: z.array(DatasetReport),
});
export type RunReport = z.infer<typeof RunReport>;

/**
 * GET /runs/{runId} → 200: `report` is null while the run goes on. 404 where the sandbox knows of no such run, or not
 * any more.
 */
export const RunStatus = z.object({ report: RunReport.nullable() });
export type RunStatus = z.infer<typeof RunStatus>;

// ── What a run asks of the platform, with its token: POST /internal/runs/{runId}/…
// ─────────────────────────────────────

/**
 * …/heartbeat, every HEARTBEAT_MS → {cancelled}: a run that is cancelled stops and reports. `running`: execution ids.
 */
export const HEARTBEAT_MS = 5_000;
export const RunHeartbeat = z.strictObject({ running: z.array(z.string()) });
export const RunHeartbeatAnswer = z.object({ cancelled: z.boolean() });

/** …/log → 204: lines as they come, capped per execution by the sandbox. `at` is when they were written. */
export const RunLog = z.strictObject({
  executionId: z.string(),
  lines: z
    .array(
      z.strictObject({
        at: z.iso.datetime(),
        stream: z.enum(["stdout", "stderr", "system"]),
        text: z.string().max(4_096),
      }),
    )
    .min(1)
    .max(500),
});

/** …/results → {path, url}: where to PUT one execution's result, an Arrow stream (frame, records) or JSON. */
export const ResultUpload = z.strictObject({
  executionId: z.string(),
  contentType: z.string(),
  bytes: z.number().int().nonnegative(),
});
export const ResultUploadAnswer = z.object({ path: z.string(), url: z.string() });

/** …/report → 204, after each dataset; repeatable. */
export const RunDatasetReport = DatasetReport;

/** …/finish → 204, once, at the end; repeatable. The run's key and token are dead after it. */
export const RunFinish = RunReport;

// ── State and failures ─────────────────────────────────────────────────────────────────────────────────────────────

/** GET /status */
export const SandboxStatus = z.object({
  protocol: z.number().int(),
  runs: z.number().int(),
  /**
   * How code is held: `bwrap`, `landlock`, `uid` … as checkJail at boot, and whether that is enough outside
   * development.
   */
  jail: z.object({ kind: z.string(), strong: z.boolean(), lacks: z.array(z.string()) }),
  /** How the team's drive comes to /home/user/drive: read where it is when it is asked for, or copied before. */
  drive: z.enum(["mount", "mirror"]).optional(),
});
export type SandboxStatus = z.infer<typeof SandboxStatus>;

export const SANDBOX_FAILURES = {
  bad_request: 422,
  envelope_refused: 422,
  body_too_large: 413,
  unauthorized: 401,
  not_found: 404,
  conflict: 409,
  /** As many runs as this sandbox takes; try again. */
  busy: 503,
  /** The sandbox is being stopped; its successor may be asked. */
  stopping: 503,
  /** The jail is too weak to run code here. */
  jail_refused: 503,
  internal: 500,
} as const;
export type SandboxFailureCode = keyof typeof SANDBOX_FAILURES;

export const SandboxFailure = z.object({
  code: z.enum(Object.keys(SANDBOX_FAILURES) as [SandboxFailureCode, ...SandboxFailureCode[]]),
  message: z.string(),
  flaws: z.array(z.object({ pointer: z.string(), message: z.string() })).optional(),
});
export type SandboxFailure = z.infer<typeof SandboxFailure>;
