// A column's head opens figures and a picture of its values, counted by the source itself, its order, and filters by a
// click on a value.

import { useQuery } from "@tanstack/react-query";
import { Button, Group } from "../../../ui/controls.ts";
import { Loaded } from "../../../ui/feedback/states.tsx";
import type { GridColumn } from "../../../ui/grid/grid-source.ts";
import type { ResultView, Run } from "../run/run.ts";
import type { ColumnKind } from "../../../../../kernel/docs/draw/result-table.ts";
import type { DatabaseKind } from "../text/dialects.ts";
import { equalityOf, isComparable } from "../text/wrapped.ts";
import { readSummary, type ColumnSummary } from "./column-summary.ts";
import { formatExact } from "../../../ui/data/format.ts";
import styles from "./results.module.css";

type ColumnMenuProps = {
  run: Run;
  database: DatabaseKind;
  column: GridColumn;
  kind: ColumnKind;
  onView: (view: ResultView) => void;
};

export function ColumnMenu({ run, database, column, kind, onView }: ColumnMenuProps) {
  const { name, type } = column;
  const summary = useQuery({
    queryKey: ["query-summary", run.id, name],
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      readSummary({ sql: run.sent, question: run.question, column: name, kind, database, signal }),
  });
  const sorted = (isDescending: boolean) => onView({ ...run.view, sort: { column: name, isDescending } });
  const filtered = (value: string | null) =>
    onView({
      ...run.view,
      filters: [
        ...run.view.filters,
        { column: name, condition: equalityOf(name, value, database), label: `${name} = ${value ?? "NULL"}` },
      ],
    });
  return (
    <div className={styles.column}>
      <div className={styles.columnName}>
        <b>{name}</b> <small>{type.toLowerCase()}</small>
      </div>
      <Group gap={6} grow>
        <Button size="compact-xs" variant="default" onClick={() => sorted(false)}>
          Sort ascending
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => sorted(true)}>
          Sort descending
        </Button>
      </Group>
      <Loaded query={summary}>
        {(found) => <Summary summary={found} onValue={isComparable(kind) ? filtered : undefined} />}
      </Loaded>
    </div>
  );
}

type SummaryProps = { summary: ColumnSummary; onValue: ((value: string | null) => void) | undefined };

function Summary({ summary, onValue }: SummaryProps) {
  const { rows, filled, distinct, least, greatest, bars, top } = summary;
  const nulls = rows - filled;
  const most = Math.max(1, ...top.map(({ count }) => count));
  const tallest = Math.max(1, ...(bars ?? []));
  return (
    <>
      <dl className={styles.figures}>
        <dt>NULL</dt>
        <dd>{nulls === 0 ? "none" : `${((nulls / Math.max(1, rows)) * 100).toFixed(1)} % (${formatExact(nulls)})`}</dd>
        {distinct !== undefined && (
          <>
            <dt>Distinct</dt>
            <dd>{formatExact(distinct)}</dd>
          </>
        )}
        {least !== undefined && (
          <>
            <dt>Range</dt>
            <dd title={`${least} – ${greatest}`}>
              {least ?? "NULL"} – {greatest ?? "NULL"}
            </dd>
          </>
        )}
      </dl>
      {bars && (
        <svg
          className={styles.histogram}
          viewBox={`0 0 ${bars.length * 10} 60`}
          preserveAspectRatio="none"
          role="img"
          aria-label="Histogram"
        >
          {bars.map((count, at) => (
            <rect
              key={at}
              x={at * 10 + 0.5}
              width={9}
              y={60 - (count / tallest) * 58}
              height={count === 0 ? 0 : Math.max(1.5, (count / tallest) * 58)}
            />
          ))}
        </svg>
      )}
      {top.length > 0 && (
        <ul className={styles.top} aria-label="Most frequent values">
          {top.map(({ value, count }) => (
            <li key={value ?? " null"}>
              <button type="button" disabled={!onValue} title="Show only these rows" onClick={() => onValue?.(value)}>
                <span className={styles.share} style={{ width: `${(count / most) * 100}%` }} />
                <span className={value === null ? styles.null : undefined}>{value ?? "NULL"}</span>
                <span>{formatExact(count)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
