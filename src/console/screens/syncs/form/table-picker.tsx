// Picks the tables of a sync among those of its source, with their sizes; a schema's star stands for all it has.

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { asProblem } from "../../../api/problem.ts";
import { runStatement } from "../../../api/statement.ts";
import { Alert, Checkbox, TagsInput, TextInput, useInputState } from "../../../ui/controls.ts";
import { Bytes, Count } from "../../../ui/data/values.tsx";
import { VirtualList } from "../../../ui/data/virtual-list.tsx";
import { LoadingLines } from "../../../ui/feedback/states.tsx";
import { matching, sourceTableOf, starOf, TABLES_SQL, type SourceKind, type SourceTable } from "./source-tables.ts";
import styles from "../syncs.module.css";

const ROW_PX = 34;
const LIST_PX = 340;
const KEPT_MS = 60_000;

type TablePickerProps = {
  integrationId: string;
  kind: SourceKind;
  chosen: readonly string[];
  onChange: (tables: string[]) => void;
};

export function TablePicker({ integrationId, kind, chosen, onChange }: TablePickerProps) {
  const [text, setText] = useInputState("");
  const sql = TABLES_SQL[kind];
  const found = useQuery({
    queryKey: ["source-tables", integrationId],
    queryFn: async ({ signal }) => {
      const { rows } = await runStatement({ sql: sql ?? "", integrationId, signal });
      return rows.map(sourceTableOf);
    },
    enabled: sql !== undefined,
    staleTime: KEPT_MS,
    retry: false,
  });
  const tables = found.data;
  const items = useMemo(() => (tables ? withStars(matching(tables, text)) : []), [tables, text]);
  const toggle = (name: string) =>
    onChange(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name]);
  return (
    <div className={styles.picker}>
      <TagsInput
        label="Tables"
        required
        placeholder={chosen.length === 0 ? "schema.table, or schema.* for all of a schema" : ""}
        value={[...chosen]}
        onChange={onChange}
      />
      {sql === undefined && <small>The tables of this kind cannot be listed: type their names.</small>}
      {sql !== undefined && found.isPending && <LoadingLines lines={3} />}
      {found.error && (
        <Alert color="yellow" title="The tables could not be listed: type their names">
          {asProblem(found.error).message}
        </Alert>
      )}
      {tables && (
        <>
          <TextInput
            aria-label="Search the tables"
            placeholder={`Search ${tables.length} tables`}
            value={text}
            onChange={setText}
          />
          {items.length === 0 ? (
            <p>No table of that name.</p>
          ) : (
            <div className={styles.pickerList}>
              <VirtualList
                label="Tables"
                items={items}
                itemHeight={ROW_PX}
                heightMax={LIST_PX}
                keyOf={({ name }) => name}
              >
                {(table) => {
                  const isStar = table.name.endsWith(".*");
                  const isCovered = !isStar && !table.isView && chosen.includes(starOf(table.name));
                  return (
                    <div className={styles.pickerRow}>
                      <Checkbox
                        size="xs"
                        label={
                          isStar
                            ? `${table.name} (each table, as they are at each run)`
                            : table.name + (table.isView ? " (view)" : "")
                        }
                        checked={isCovered || chosen.includes(table.name)}
                        disabled={isCovered}
                        onChange={() => toggle(table.name)}
                      />
                      <span>
                        {table.rows !== null && (
                          <>
                            <Count value={table.rows} /> rows
                          </>
                        )}
                      </span>
                      <span>{table.bytes !== null && <Bytes value={table.bytes} />}</span>
                    </div>
                  );
                }}
              </VirtualList>
            </div>
          )}
        </>
      )}
    </div>
  );
}

/** Before each schema's first table stands the schema's star, with the sums of its tables. */
function withStars(tables: readonly SourceTable[]): SourceTable[] {
  const bySchema = Map.groupBy(tables, ({ name }) => starOf(name));
  return [...bySchema].flatMap(([star, own]) => [
    { name: star, rows: sum(own.map(({ rows }) => rows)), bytes: sum(own.map(({ bytes }) => bytes)), isView: false },
    ...own,
  ]);
}

const sum = (values: readonly (number | null)[]): number | null =>
  values.some((value) => value !== null) ? values.reduce<number>((total, value) => total + (value ?? 0), 0) : null;
