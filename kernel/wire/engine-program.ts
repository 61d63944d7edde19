// The facts of an engine that are known before anything is asked of it: how its answers are told, and what it is
// started with. The contract's constants are apart from its schemas, for a process that starts loads no library to read
// them.

import type { SettingKinds } from "./settings.ts";

/** Raised by a change of the contract that an older peer would misread. */
export const PROTOCOL = 17;

/**
 * Every answer of the engine carries this header with the protocol's number; an answer without it is not the engine's.
 */
export const ENGINE_HEADER = "x-fjord-engine";

/** The formats that a result can be written in. */
export const FORMATS = ["json", "csv", "ndjson", "arrow", "parquet"] as const;
export type Format = (typeof FORMATS)[number];

export const CONTENT_TYPES: Record<Format, string> = {
  json: "application/json",
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson",
  arrow: "application/vnd.apache.arrow.stream",
  parquet: "application/vnd.apache.parquet",
};

/** The formats of record batches; the others are text. */
export const BATCH_FORMATS = ["arrow", "parquet"] as const satisfies readonly Format[];
export type BatchFormat = (typeof BATCH_FORMATS)[number];
export type TextFormat = Exclude<Format, BatchFormat>;

export const isBatchFormat = (format: string): format is BatchFormat =>
  (BATCH_FORMATS as readonly string[]).includes(format);

/** The port the engine listens on inside its container; a supervisor may set `PORT` instead. */
export const ENGINE_PORT = 8080;

/** How many engines a team may have, as the platform's setting `ENGINES_PER_TEAM` says it. */
export const ENGINE_COUNTS = ["1", "2", "3", "4", "5", "6", "7", "8"] as const;

/**
 * The classes of statements on the lake, by the memory that they are admitted to. `short`: little is scanned, so that
 * somebody waits for it. `long`: the rest. Neither has to wait for the other.
 */
export const STATEMENT_CLASSES = ["short", "long"] as const;
export type StatementClass = (typeof STATEMENT_CLASSES)[number];

/** The settings of an installation, by the names of its variables; `core/settings.ts` says what they mean. */
export const ENGINE_SETTINGS = {
  ENGINE_MACHINE_SHARES: "positive",
  ENGINE_QUERY_PROCESSES: "positive",
  ENGINE_QUERY_MEMORY_MB: "positive",
  ENGINE_QUERY_SPILL_MB: "positive",
  ENGINE_WRITE_MB: "positive",
  ENGINE_CACHE_DIR: "text",
  ENGINE_CACHE_MB: "positive",
  ENGINE_RESULT_CACHE_MB: "whole",
  ENGINE_DRIVE_FILES: "positive",
  ENGINE_DRIVE_MB: "positive",
  ENGINE_BIGQUERY_EMULATOR: "text",
  ENGINE_SNOWFLAKE_EMULATOR: "text",
} as const satisfies SettingKinds;
export type EngineSettingName = keyof typeof ENGINE_SETTINGS;

/** The environment an engine is started with. */
export type EngineEnvironment = Partial<Record<EngineSettingName, string>> & {
  /** Bearer secret of this boot; the engine answers nobody else. */
  ENGINE_SECRET: string;
  /** Base URL at which the engine reaches the platform's `/internal` routes. */
  PLATFORM_URL: string;
  /** `host:port` to connect to instead of the signed URL's own; the Host header stays. Empty: no override. */
  S3_DIAL: string;
  /** Database hosts outside the public internet that may be dialled. */
  HOSTS_ALLOWED: "" | "loopback" | "private";
};
