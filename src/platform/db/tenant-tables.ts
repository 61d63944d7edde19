// The tables that hold what is a team's, by the column `team_id`, in an order in which a team's rows can go: what
// points at another table comes before it. A test holds the list to the schema.

export const TENANT_TABLES = [
  "alert_deliveries",
  "alert_episodes",
  "alert_webhooks",
  "attempts",
  "automation_runs",
  "automation_jobs",
  "sync_runs",
  "syncs",
  "idempotency_keys",
  "executions",
  "doc_runs",
  "doc_versions",
  "docs",
  "drive_temporary_files",
  "drive_long_paths",
  "drive_uploads",
  "kv_stores",
  "secrets",
  "lake_collections",
  "lake_summaries",
  "integrations",
  "team_settings",
  "access_members",
  "access_roles",
  "user_attributes",
  "magic_links",
  "key_uses",
  "api_keys",
  "users",
  "audit_events",
  "meter_batches",
  "event_rollups",
  "month_uses",
  "drive_measures",
] as const;

/** Rows that go by a work of their own: when a lake's objects are gone, and last of all. */
export const REMOVAL_TABLES = ["lake_removals", "team_removals"] as const;
