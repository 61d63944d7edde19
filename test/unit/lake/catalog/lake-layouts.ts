// A catalog as an earlier version of the code laid it out: what later layouts added is taken back.

/** What each layout added, taken back. */
const UNDO: Record<number, string[]> = {
  2: ["DROP INDEX fjord_tag_object", "DROP INDEX fjord_column_tag"],
  3: [
    "DROP INDEX fjord_lease_table",
    ...["base_snapshot", "schema_name", "table_name"].map((name) => `ALTER TABLE fjord_leases DROP COLUMN ${name}`),
    ...["snapshot_time", "schedule_start", "schedule_path", "schedule_file"].map((name) => `DROP INDEX fjord_${name}`),
    "DROP TABLE fjord_scheduled",
  ],
  4: ["DROP TABLE fjord_access", "DROP TABLE fjord_access_roles"],
  5: [
    "DROP INDEX fjord_column_file_stats",
    "CREATE INDEX fjord_column_file_stats ON ducklake_file_column_stats (table_id, column_id)",
  ],
  6: ["DROP TABLE fjord_table_versions"],
  7: [
    "DROP TABLE fjord_iceberg_objects",
    "DROP TABLE fjord_iceberg_ranges",
    "ALTER TABLE fjord_scheduled DROP COLUMN table_id",
  ],
};

/** The statements, the newest layout's first, that bring a catalog back to the layout `version`. */
export const undoLayouts = (version: number): string[] => [
  ...Object.keys(UNDO)
    .map(Number)
    .filter((layout) => layout > version)
    .sort((left, right) => right - left)
    .flatMap((layout) => UNDO[layout]!),
  `UPDATE fjord_layout SET version = ${version}`,
];
