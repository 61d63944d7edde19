// A chart of a result is chosen by the columns' types, and changed at will.

import { Suspense, useMemo, useState } from "react";
import { MultiSelect, Select } from "@mantine/core";
import { DRAW_BOUNDS } from "../../../../kernel/docs/draw/bounds.ts";
import { NUMBER_KINDS, type ResultTable } from "../../../../kernel/docs/draw/result-table.ts";
import { EmptyState, LoadingLines } from "../feedback/states.tsx";
import styles from "./chosen-chart.module.css";
import { ChartView } from "./lazy.ts";
import {
  CHART_TYPES,
  likelyChart,
  vizOf,
  type ChartChoice,
  type ChartType,
  type ColumnLabels,
} from "./likely-chart.ts";
import { formatExact } from "../data/format.ts";

type ChosenChartProps = { table: ResultTable; labels?: ColumnLabels };

export function ChosenChart({ table, labels }: ChosenChartProps) {
  const likely = useMemo(() => likelyChart(table.columns), [table]);
  if (!likely || table.rowCount === 0)
    return (
      <div className={styles.none}>
        <EmptyState title="Nothing to draw">A chart needs rows with a column of numbers.</EmptyState>
      </div>
    );
  // What was chosen holds as long as the result has the same columns.
  return (
    <Chart key={table.columns.map(({ name }) => name).join()} table={table} likely={likely} labels={labels ?? {}} />
  );
}

type ChartProps = { table: ResultTable; likely: ChartChoice; labels: ColumnLabels };

function Chart({ table, likely, labels }: ChartProps) {
  const [choice, setChoice] = useState(likely);
  const viz = useMemo(() => vizOf(choice, labels), [choice, labels]);
  const names = [...new Set(table.columns.map(({ name }) => name))];
  const numbers = names.filter((name) => NUMBER_KINDS.has(table.columns.find((one) => one.name === name)!.kind));
  const titled = (given: readonly string[]) =>
    given.map((name) => ({ value: name, label: labels[name]?.title ?? name }));
  const { color: _, ...unsplit } = choice;
  return (
    <div className={styles.chart}>
      <div className={styles.bar}>
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
          data={titled(names)}
          value={choice.x}
          onChange={(x) => setChoice({ ...choice, x: x! })}
        />
        <MultiSelect
          size="xs"
          miw={200}
          aria-label="Measures"
          data={titled(numbers)}
          value={[...choice.y]}
          onChange={(y) => y.length > 0 && setChoice({ ...choice, y })}
        />
        <Select
          size="xs"
          w={180}
          aria-label="Split by"
          placeholder="Split by"
          clearable
          clearButtonProps={{ "aria-label": "Do not split" }}
          data={titled(names.filter((name) => name !== choice.x && !choice.y.includes(name)))}
          value={choice.color ?? null}
          onChange={(color) => setChoice(color === null ? unsplit : { ...choice, color })}
        />
        {table.rowCount > DRAW_BOUNDS.chartRowsMax && (
          <small>The first {formatExact(DRAW_BOUNDS.chartRowsMax)} rows.</small>
        )}
      </div>
      <div className={styles.view}>
        <Suspense fallback={<LoadingLines />}>
          <ChartView label="Chart of the result" viz={viz} table={table} />
        </Suspense>
      </div>
    </div>
  );
}
