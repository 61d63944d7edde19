// A chart of the result: chosen by the columns' types, and changed at will.

import { Suspense, useMemo, useState } from "react";
import { DRAW_BOUNDS } from "../../../../../kernel/docs/draw/bounds.ts";
import { NUMBER_KINDS, type ResultTable } from "../../../../../kernel/docs/draw/result-table.ts";
import { ChartView } from "../../../ui/charts/lazy.ts";
import { MultiSelect, Select } from "../../../ui/controls.ts";
import { EmptyState, LoadingLines } from "../../../ui/feedback/states.tsx";
import { resultTableOf } from "../../../ui/grid/arrow-result.ts";
import type { Run } from "../run/run.ts";
import { CHART_TYPES, likelyChart, vizOf, type ChartChoice, type ChartType } from "./likely-chart.ts";
import styles from "./results.module.css";

export function ChartPane({ run }: { run: Run }) {
  const { source } = run;
  const table = useMemo(() => source && resultTableOf(source), [source]);
  const likely = useMemo(() => table && likelyChart(table.columns), [table]);
  if (run.state === "running" || !table)
    return <div className={styles.note}>{run.state === "running" ? <LoadingLines /> : null}</div>;
  if (!likely || table.rowCount === 0)
    return (
      <div className={styles.note}>
        <EmptyState title="Nothing to draw">A chart needs rows with a column of numbers.</EmptyState>
      </div>
    );
  return <Chart key={run.id} table={table} likely={likely} />;
}

function Chart({ table, likely }: { table: ResultTable; likely: ChartChoice }) {
  const [choice, setChoice] = useState(likely);
  const viz = useMemo(() => vizOf(choice), [choice]);
  const names = [...new Set(table.columns.map(({ name }) => name))];
  const numbers = names.filter((name) => NUMBER_KINDS.has(table.columns.find((one) => one.name === name)!.kind));
  return (
    <div className={styles.chart}>
      <div className={styles.chartBar}>
        <Select
          size="xs"
          w={110}
          aria-label="Form"
          allowDeselect={false}
          data={CHART_TYPES}
          value={choice.type}
          onChange={(type) => setChoice({ ...choice, type: type as ChartType })}
        />
        <Select
          size="xs"
          w={180}
          aria-label="Along"
          searchable
          allowDeselect={false}
          data={names}
          value={choice.x}
          onChange={(x) => setChoice({ ...choice, x: x! })}
        />
        <MultiSelect
          size="xs"
          miw={200}
          aria-label="Measures"
          data={numbers}
          value={[...choice.y]}
          onChange={(y) => y.length > 0 && setChoice({ ...choice, y })}
        />
        {table.rowCount > DRAW_BOUNDS.chartRowsMax && (
          <small>The first {DRAW_BOUNDS.chartRowsMax.toLocaleString("en-US")} rows.</small>
        )}
      </div>
      <Suspense fallback={<LoadingLines />}>
        <ChartView label="Chart of the result" viz={viz} table={table} />
      </Suspense>
    </div>
  );
}
