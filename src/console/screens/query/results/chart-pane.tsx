// A chart of the result: chosen by the columns' types, and changed at will.

import { lazy, Suspense, useMemo, useState } from "react";
import { MultiSelect, Select } from "../../../ui/controls.ts";
import { EmptyState, LoadingLines } from "../../../ui/feedback/states.tsx";
import type { ArrowSource } from "../../../ui/grid/arrow-source.ts";
import type { Run } from "../run/run.ts";
import { NUMERIC } from "../text/wrapped.ts";
import { CHART_TYPES, chartOption, likelyChart, POINTS_MAX, type ChartChoice, type ChartType } from "./chart-data.ts";
import styles from "./results.module.css";

const Canvas = lazy(() => import("./chart-canvas.tsx"));

export function ChartPane({ run }: { run: Run }) {
  const { source } = run;
  const likely = useMemo(() => source && likelyChart(source), [source]);
  if (run.state === "running" || !source)
    return <div className={styles.note}>{run.state === "running" ? <LoadingLines /> : null}</div>;
  if (!likely || source.rowCount === 0)
    return (
      <div className={styles.note}>
        <EmptyState title="Nothing to draw">A chart needs rows with a column of numbers.</EmptyState>
      </div>
    );
  return <Chart key={run.id} source={source} likely={likely} />;
}

function Chart({ source, likely }: { source: ArrowSource; likely: ChartChoice }) {
  const [choice, setChoice] = useState(likely);
  const names = [...new Set(source.columns.map(({ name }) => name))];
  const numbers = names.filter((name) =>
    NUMERIC.has(source.kinds[source.columns.findIndex((one) => one.name === name)]!),
  );
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
        {source.rowCount > POINTS_MAX && <small>The first {POINTS_MAX.toLocaleString("en-US")} rows.</small>}
      </div>
      <Suspense fallback={<LoadingLines />}>
        <Canvas optionOf={(colors) => chartOption(source, choice, colors)} />
      </Suspense>
    </div>
  );
}
