// The tree of schemas, tables and columns at the side of the editor: searched by name, read as it is opened. A click
// writes a name into the statement. Only rows in view are drawn, so that thousands of tables stay fast.

import { useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useInputState } from "../../../ui/controls.ts";
import { SearchField } from "../../../ui/data/search-field.tsx";
import { ErrorNote, LoadingLines } from "../../../ui/feedback/states.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { pathOf } from "../text/sql-language.ts";
import { DIALECTS } from "../text/dialects.ts";
import { useTables, useWithColumns, type DataSource } from "./schema.ts";
import { treeRows, type TreeRow } from "./tree-rows.ts";
import styles from "./schema-tree.module.css";

const ROW_PX = 26;
const AROUND_ROWS = 12;

type SchemaTreeProps = { source: DataSource; onInsert: (text: string) => void };

export function SchemaTree({ source, onInsert }: SchemaTreeProps) {
  const tables = useTables(source);
  const [text, setText] = useInputState("");
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(0);
  const [scrolled, setScrolled] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const opened = useMemo(
    () => (tables.data ?? []).filter(({ schema, name }) => toggled.has(`${schema}.${name}`)),
    [tables.data, toggled],
  );
  const columns = useWithColumns(source, opened);
  const rows = useMemo(
    () => treeRows(tables.data ?? [], { columns, toggled, text }),
    [tables.data, columns, toggled, text],
  );
  const height = list.current?.clientHeight ?? 600;
  const first = Math.max(0, Math.floor(scrolled / ROW_PX) - AROUND_ROWS);
  const shown = rows.slice(first, first + Math.ceil(height / ROW_PX) + 2 * AROUND_ROWS);
  const toggle = (key: string) =>
    setToggled((now) => {
      const next = new Set(now);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  const insert = (row: TreeRow) => {
    if (row.level === "schema") toggle(row.key);
    else if (row.level === "table") onInsert(pathOf(row.table, source.kind, source.catalog));
    else if (row.level === "column")
      onInsert(/^[A-Za-z_]\w*$/.test(row.name) ? row.name : DIALECTS[source.kind].quoteName(row.name));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at];
    const go = (to: number) => {
      const next = Math.max(0, Math.min(rows.length - 1, to));
      setAt(next);
      const top = next * ROW_PX;
      const element = list.current!;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + ROW_PX > element.scrollTop + element.clientHeight)
        element.scrollTop = top + ROW_PX - element.clientHeight;
    };
    const actions: Record<string, () => void> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => row && !row.isOpen && toggle(row.key),
      ArrowLeft: () => row?.isOpen && toggle(row.key),
      Enter: () => row && insert(row),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]!();
  };
  return (
    <div className={styles.side}>
      <SearchField
        aria-label="Find a table or column"
        placeholder={`Tables of ${source.name}`}
        value={text}
        onChange={setText}
      />
      {tables.error && <ErrorNote error={tables.error} onRetry={() => void tables.refetch()} />}
      {tables.isPending && <LoadingLines lines={6} />}
      {tables.data && rows.length === 0 && (
        <p className={styles.none}>{text ? "No table of that name." : "There are no tables yet."}</p>
      )}
      <div
        ref={list}
        className={styles.tree}
        role="tree"
        aria-label={`Tables of ${source.name}`}
        aria-activedescendant={rows[at] && `tree-${rows[at].key}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
      >
        <div role="presentation" style={{ height: rows.length * ROW_PX, position: "relative" }}>
          {shown.map((row, slot) => (
            <TreeLine
              key={row.key}
              row={row}
              top={(first + slot) * ROW_PX}
              isHere={first + slot === at}
              onToggle={() => {
                setAt(first + slot);
                toggle(row.key);
              }}
              onInsert={() => {
                setAt(first + slot);
                insert(row);
              }}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

const LEVELS = { schema: 1, table: 2, column: 3, wait: 3 } as const;
const ICONS = { schema: "folder", table: "table", column: "column", wait: "more" } as const;

type TreeLineProps = { row: TreeRow; top: number; isHere: boolean; onToggle: () => void; onInsert: () => void };

function TreeLine({ row, top, isHere, onToggle, onInsert }: TreeLineProps) {
  const canOpen = row.level === "schema" || row.level === "table";
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names the row that is active.
    <div
      id={`tree-${row.key}`}
      role="treeitem"
      aria-level={LEVELS[row.level]}
      aria-expanded={canOpen ? row.isOpen : undefined}
      aria-selected={isHere}
      className={styles.line}
      data-level={row.level}
      style={{ top }}
    >
      {canOpen ? (
        <button
          type="button"
          tabIndex={-1}
          aria-label={`Open ${row.name}`}
          className={styles.toggle}
          onClick={onToggle}
        >
          <Icon name={row.isOpen ? "chevronDown" : "chevronRight"} size={13} />
        </button>
      ) : (
        <span className={styles.toggle} />
      )}
      <button type="button" tabIndex={-1} className={styles.name} title={row.name} onClick={onInsert}>
        <Icon name={ICONS[row.level]} size={14} />
        <span>{row.name}</span>
        {row.note && <small>{row.note}</small>}
      </button>
    </div>
  );
}
