// A tab's last run brought rows, a chart, or the plan, below a line that says how it went.

import { useRef } from "react";
import { Button, Group, SegmentedControl } from "../../../ui/controls.ts";
import { EmptyState, ErrorNote } from "../../../ui/feedback/states.tsx";
import { Grid } from "../../../ui/grid/grid.tsx";
import { startRun } from "../run/run-store.ts";
import type { ResultView, Run } from "../run/run.ts";
import type { DataSource } from "../schema/schema.ts";
import type { Shown, Tab } from "../tabs/tab.ts";
import { placeOf, repairsOf } from "../text/failure-place.ts";
import { isWrappable } from "../text/statements.ts";
import { viewedSql } from "../text/wrapped.ts";
import { ChartPane } from "./chart-pane.tsx";
import { ColumnMenu } from "./column-menu.tsx";
import { ComparePane } from "./compare/compare-pane.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { PivotPane } from "./pivot/pivot-pane.tsx";
import { PlanPane } from "./plan-pane.tsx";
import { StatusLine } from "./status-line.tsx";
import styles from "./results.module.css";

const CHOICES: { value: Shown; label: string }[] = [
  { value: "rows", label: "Rows" },
  { value: "chart", label: "Chart" },
  { value: "pivot", label: "Pivot" },
  { value: "compare", label: "Compare" },
  { value: "plan", label: "Plan" },
];

type ResultPaneProps = {
  tab: Tab;
  run: Run | undefined;
  source: DataSource;
  /** All open tabs, and whose they are. */
  tabs: readonly Tab[];
  owner: string;
  onChange: (change: Partial<Tab>) => void;
};

export function ResultPane({ tab, run, source, tabs, owner, onChange }: ResultPaneProps) {
  const { shown = "rows" } = tab;
  if (!run)
    return (
      <div className={styles.pane}>
        <div className={styles.hint}>
          <p>
            <kbd>Ctrl Enter</kbd> runs the statement at the cursor, or what is selected. <kbd>Esc</kbd> cancels it.
          </p>
          <p>
            Values for <code>$names</code> are asked for above. Every draft is kept as you type.
          </p>
        </div>
      </div>
    );
  const show = (view: ResultView) =>
    startRun({
      tabId: tab.id,
      question: run.question,
      view,
      sent: viewedSql(run.question.sql, view, source.kind),
      offset: run.offset,
    });
  return (
    <section className={styles.pane} aria-label="Result">
      <div className={styles.line}>
        <SegmentedControl
          size="xs"
          data={CHOICES}
          value={shown}
          onChange={(value) => onChange({ shown: value as Shown })}
          aria-label="How the result is shown"
        />
        <StatusLine run={run} />
        <FilterChips view={run.view} onChange={show} />
        <ExportMenu run={run} />
      </div>
      {run.problem && shown !== "plan" && (
        <div className={styles.note}>
          <ErrorNote error={run.problem} />
          <Repairs run={run} text={tab.text} onText={(text) => onChange({ text })} />
        </div>
      )}
      {shown === "rows" && <Rows run={run} source={source} onView={show} />}
      {shown === "chart" && <ChartPane run={run} />}
      {shown === "pivot" && run.state !== "failed" && (
        <PivotPane run={run} source={source} kept={tab.pivot} onChoice={(pivot) => onChange({ pivot })} />
      )}
      {shown === "compare" && run.state !== "failed" && (
        <ComparePane run={run} tab={tab} tabs={tabs} owner={owner} onCompare={(compare) => onChange({ compare })} />
      )}
      {shown === "plan" && <PlanPane key={run.id} run={run} source={source} />}
    </section>
  );
}

type RepairsProps = { run: Run; text: string; onText: (text: string) => void };

/** One click writes what the failure proposes at its place. */
function Repairs({ run, text, onText }: RepairsProps) {
  const place = placeOf(run, text);
  if (!place || !run.problem) return null;
  const repairs = repairsOf(run.problem.message, text.slice(place.from, place.to));
  return (
    <Group gap={6} mt={8}>
      {repairs.map(({ title, text: repaired }) => (
        <Button
          key={title}
          size="compact-xs"
          variant="default"
          onClick={() => onText(text.slice(0, place.from) + repaired + text.slice(place.to))}
        >
          {title}
        </Button>
      ))}
    </Group>
  );
}

type RowsProps = { run: Run; source: DataSource; onView: (view: ResultView) => void };

function Rows({ run, source, onView }: RowsProps) {
  const { source: rows, state, isReleased } = run;
  const { sort } = run.view;
  const hasFocus = useRef(false);
  const menuOf = isWrappable(run.question.sql)
    ? (column: number, close: () => void) => (
        <ColumnMenu
          run={run}
          database={source.kind}
          column={rows!.columns[column]!}
          kind={rows!.kinds[column]!}
          onView={(view) => {
            close();
            onView(view);
          }}
        />
      )
    : undefined;
  return (
    <>
      {isReleased && (
        <div className={styles.note}>
          <EmptyState title="These rows were let go">Other tabs needed the room. Run the statement again.</EmptyState>
        </div>
      )}
      {rows && rows.columns.length > 0 && (state !== "failed" || rows.rowCount > 0) && (
        <Grid
          key={run.id}
          source={rows}
          rowCount={run.rows}
          label="Rows of the result"
          focus={hasFocus}
          menuOf={menuOf}
          markOf={(column) =>
            sort && rows.columns[column]!.name === sort.column ? (sort.isDescending ? "↓" : "↑") : undefined
          }
        />
      )}
    </>
  );
}
