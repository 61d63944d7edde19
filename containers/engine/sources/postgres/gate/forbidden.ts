// Names that no statement to PostgreSQL may use: its functions, settings and relations that reach beyond reading a
// database's tables. The server's volatile functions that are neither listed here nor known to be harmless fail a test
// (`gates.test.ts`).

/**
 * Functions of PostgreSQL and its usual extensions, by name, in whatever schema. They write, signal, lock, read the
 * server's files, dial out, or run SQL given as text, which no parse tree shows.
 */
const FORBIDDEN_FUNCTIONS: RegExp[] = [
  // The server's files, and large objects (`lo_get` only reads).
  /^pg_(read|ls|file|stat_file|current_logfile|logdir_ls)/,
  /^pg_(hba_file_rules|ident_file_mappings|show_all_file_settings|available_wal_summaries|wal_summary_)/,
  /^lo_(?!get$)/,
  /^lo(read|write)$/,
  // SQL as text.
  /^(query|cursor|table|schema|database)_to_xml/,
  /^(ts_stat|connectby|xpath_table|crosstab.*|dblink.*)$/,
  // Other programs and servers.
  /^http(_(get|post|put|patch|delete|head))?$/,
  /^(pg_execute_|pg_background_|postgres_fdw_(dis)?connect)/,
  // Other sessions, locks, notifications.
  /^pg_(terminate_backend|cancel_backend|notify|advisory_.*|try_advisory_.*|isolation_test.*)$/,
  // Storage below the tables, where no privilege on a table counts: pageinspect, pg_visibility, pgrowlocks,
  // pg_walinspect.
  /^(heap|bt|bt_multi|brin|gin|gist|hash)_(page|leafpage|metap|metapage|bitmap|revmap)(_.*)?$/,
  /^(get_raw_page|fsm_page_contents|tuple_data_split)$/,
  /^(pg_visibility.*|pg_check_(frozen|visible)|pgrowlocks|pg_get_wal_(records?|block|fpi|stats)(_.*)?)$/,
  // Every setting, the secret ones too.
  /^pg_show_all_settings$/,
  // The server's state: configuration, log, statistics, replication, backup, recovery, upgrade.
  /^pg_(reload_conf|rotate_logfile.*|log_.*|logical_.*|replication_(origin|slot)_.*|promote|wal_replay_.*)$/,
  /^pg_(create_.*|drop_.*|copy_.*|sync_.*|switch_.*|start_backup|stop_backup|backup_.*|export_snapshot)$/,
  /^pg_(import_system_collations|nextoid|stop_making_pinned_objects|extension_config_dump)$/,
  /^pg_(stat_reset|stat_clear|stat_statements_reset|stat_force)/,
  /^pg_(clear_|restore_|set_|truncate_|prewarm|autoprewarm|surgery|repack)/,
  /^(binary_upgrade_|heap_force_|brin_(de)?summarize|gin_clean_pending_list|bt_index_|verify_heapam)/,
  // A read-only transaction would refuse these, or would let a setting undo them.
  /^(set_config|nextval|setval|txid_current|pg_current_xact_id|currtid2?)$/,
];

/** Extensions whose every function writes, schedules or dials out. */
const FORBIDDEN_SCHEMAS = new Set(["cron", "net", "aws_s3", "aws_lambda", "pg_background"]);

/**
 * Whether a call of `path` (schema, function) is refused. `argumentCount` tells apart `ts_rewrite(query, sql)` from the
 * harmless one with three.
 */
export function isForbiddenFunction(path: string[], argumentCount: number): boolean {
  const name = path.at(-1) ?? "";
  if (name === "ts_rewrite") return argumentCount === 2;
  return path.slice(0, -1).some((schema) => FORBIDDEN_SCHEMAS.has(schema)) || isForbiddenName(name);
}

export const isForbiddenName = (name: string): boolean => FORBIDDEN_FUNCTIONS.some((pattern) => pattern.test(name));

/** Settings that hold a password, or how to get one; `all` has them among the others. */
const SECRET_SETTINGS = new Set(["primary_conninfo", "ssl_passphrase_command", "all"]);

/** Whether SHOW or `current_setting` of this name is refused. The server takes the name in any case. */
export const isForbiddenSetting = (name: string): boolean => SECRET_SETTINGS.has(name.toLowerCase());

/**
 * Views of the server's own files, and tables that hold secrets: password hashes, the passwords of other servers,
 * settings with passwords, and samples of any table's values (`pg_stats` shows those of readable tables alone). The
 * server itself refuses relations that a role may not read; a role that was given more than it needs can't read these
 * through the engine.
 */
const FORBIDDEN_RELATIONS = new Set([
  "pg_hba_file_rules",
  "pg_file_settings",
  "pg_ident_file_mappings",
  "pg_authid",
  "pg_shadow",
  "pg_user_mapping",
  "pg_user_mappings",
  "_pg_user_mappings",
  "user_mapping_options",
  "pg_subscription",
  "pg_settings",
  "pg_statistic",
  "pg_statistic_ext_data",
]);
const SYSTEM_SCHEMAS = new Set(["pg_catalog", "information_schema"]);
/** Holds the long values of every table, the refused ones too. */
const TOAST_SCHEMA = "pg_toast";

/** Whether a relation is refused. One of the user's own may bear the name in a schema of its own, said before it. */
export const isForbiddenRelation = (schema: string | undefined, name: string): boolean =>
  schema === TOAST_SCHEMA || (FORBIDDEN_RELATIONS.has(name) && (schema === undefined || SYSTEM_SCHEMAS.has(schema)));
