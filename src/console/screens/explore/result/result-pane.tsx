// The answer is shown as rows, as a chart, as a pivot, or as the SQL that it comes from; the address says as which.

import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { ChosenChart } from "../../../ui/charts/chosen-chart.tsx";
import { Button, SegmentedControl } from "../../../ui/controls.ts";
import { formatDuration, formatExact } from "../../../ui/data/format.ts";
import { State, useNow } from "../../../ui/data/values.tsx";
import { EmptyState, ErrorNote, LoadingLines } from "../../../ui/feedback/states.tsx";
import { Grid } from "../../../ui/grid/grid.tsx";
import type { Integration } from "../../../api/integrations.ts";
import type { Answer, CubeQuery } from "../queries.ts";
import { isAskable, withOrder, type Exploration } from "../state/exploration.ts";
import type { Member } from "../state/members.ts";
import { PivotPane } from "./pivot-pane.tsx";
import styles from "./result-pane.module.css";
import { gridOf, labelsOf, shownColumns, tableOf, type ShownColumn } from "./shown-columns.ts";
import { SqlPane } from "./sql-pane.tsx";
import { useSearch } from "../../../ui/use-search.ts";

const SHOWN = { rows: "Rows", chart: "Chart", pivot: "Pivot", sql: "SQL" } as const;
type Shown = keyof typeof SHOWN;
const TICK_MS = 100;
const LIMIT = 10_000;

type ResultPaneProps = {
  cube: Integration;
  lakeId: string | undefined;
  exploration: Exploration;
  /** The query that was asked for last. */
  query: CubeQuery;
  members: readonly Member[];
  answer: UseQueryResult<Answer>;
  onChange: (next: Exploration) => void;
  onCancel: () => void;
};

export function ResultPane(props: ResultPaneProps) {
  const { cube, lakeId, exploration, query, members, answer, onChange, onCancel } = props;
  const [search, changeSearch] = useSearch();
  const asked = search.get("show") ?? "rows";
  const shown = asked in SHOWN ? (asked as Shown) : "rows";
  const show = (next: string) => changeSearch({ show: next === "rows" ? undefined : next }, { replace: true });
  const { data } = answer;
  const columns = useMemo(() => (data ? shownColumns(data.table, members) : []), [data, members]);
  if (!isAskable(exploration)) return <div className={styles.pane} />;
  return (
    <section className={styles.pane} aria-label="Answer">
      <div className={styles.line}>
        <SegmentedControl
          size="xs"
          aria-label="How the answer is shown"
          data={Object.entries(SHOWN).map(([value, label]) => ({ value, label }))}
          value={shown}
          onChange={show}
        />
        <Status answer={answer} limit={exploration.limit ?? LIMIT} onCancel={onCancel} />
      </div>
      {shown === "sql" ? (
        <SqlPane cube={cube} lakeId={lakeId} query={query} />
      ) : answer.error ? (
        <div className={styles.note}>
          <ErrorNote error={answer.error} onRetry={() => void answer.refetch()} />
        </div>
      ) : data ? (
        <div className={styles.shown} data-old={answer.isPlaceholderData || undefined}>
          {shown === "rows" && <Rows answer={data} columns={columns} exploration={exploration} onChange={onChange} />}
          {shown === "chart" && <Picture answer={data} columns={columns} />}
          {shown === "pivot" && <PivotPane table={data.table} columns={columns} />}
        </div>
      ) : (
        answer.isFetching && (
          <div className={styles.note}>
            <LoadingLines />
          </div>
        )
      )}
    </section>
  );
}

type StatusProps = Pick<ResultPaneProps, "answer" | "onCancel"> & { limit: number };

function Status({ answer, limit, onCancel }: StatusProps) {
  const { data, isFetching, isPlaceholderData, error, refetch } = answer;
  if (isFetching) return <Running onCancel={onCancel} />;
  if (error) return <State tone="bad">Failed</State>;
  if (!data || isPlaceholderData)
    return (
      <>
        <State tone="quiet">Cancelled</State>
        <Button size="compact-xs" variant="default" onClick={() => void refetch()}>
          Ask again
        </Button>
      </>
    );
  const rows = data.table.rowCount;
  return (
    <span className={styles.status} role="status">
      <span>
        <b>{formatExact(rows)}</b> {rows === 1 ? "row" : "rows"}
      </span>
      <span>{formatDuration(data.tookMs)}</span>
      {rows >= limit && <span className={styles.cut}>as many as were asked for; there may be more</span>}
    </span>
  );
}

function Running({ onCancel }: { onCancel: () => void }) {
  const startedAt = useMemo(() => Date.now(), []);
  const waited = Math.max(0, useNow(TICK_MS) - startedAt);
  return (
    <>
      <State tone="busy">{`Running ${(waited / 1_000).toFixed(1)} s`}</State>
      <Button size="compact-xs" variant="default" title="Esc" onClick={onCancel}>
        Cancel
      </Button>
    </>
  );
}

type RowsProps = Pick<ResultPaneProps, "exploration" | "onChange"> & {
  answer: Answer;
  columns: readonly ShownColumn[];
};

function Rows({ answer: { source, table }, columns, exploration, onChange }: RowsProps) {
  const grid = useMemo(() => gridOf(source, columns), [source, columns]);
  if (table.rowCount === 0)
    return (
      <div className={styles.note}>
        <EmptyState title="No rows">Nothing fits what is chosen: a filter or a range may be too narrow.</EmptyState>
      </div>
    );
  const directionOf = (member: string) => exploration.order.find(([one]) => one === member)?.[1];
  return (
    <Grid
      source={grid}
      rowCount={table.rowCount}
      label="Rows of the answer"
      markOf={(column) => {
        const direction = directionOf(columns[column]!.member);
        return direction && (direction === "asc" ? "↑" : "↓");
      }}
      menuOf={(column, close) => {
        const { member } = columns[column]!;
        const order = (direction: "asc" | "desc" | undefined) => () => {
          close();
          onChange(withOrder(exploration, member, direction));
        };
        return (
          <div className={styles.menu}>
            <code>{member}</code>
            <Button size="xs" variant="default" onClick={order("asc")}>
              Smallest first
            </Button>
            <Button size="xs" variant="default" onClick={order("desc")}>
              Largest first
            </Button>
            {directionOf(member) && (
              <Button size="xs" variant="default" onClick={order(undefined)}>
                Do not order by it
              </Button>
            )}
          </div>
        );
      }}
    />
  );
}

function Picture({ answer: { table }, columns }: { answer: Answer; columns: readonly ShownColumn[] }) {
  const drawn = useMemo(() => tableOf(table, columns), [table, columns]);
  const labels = useMemo(() => labelsOf(columns), [columns]);
  return <ChosenChart table={drawn} labels={labels} />;
}
