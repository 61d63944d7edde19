// A chart of the result of a tab's last run.

import { useMemo } from "react";
import { ChosenChart } from "../../../ui/charts/chosen-chart.tsx";
import { LoadingLines } from "../../../ui/feedback/states.tsx";
import { resultTableOf } from "../../../ui/grid/arrow-result.ts";
import type { Run } from "../run/run.ts";
import styles from "./results.module.css";

export function ChartPane({ run }: { run: Run }) {
  const { source } = run;
  const table = useMemo(() => source && resultTableOf(source), [source]);
  if (run.state === "running" || !table)
    return <div className={styles.note}>{run.state === "running" ? <LoadingLines /> : null}</div>;
  return <ChosenChart key={run.id} table={table} />;
}
