// A result as a chart, in the size of its place and the colours of the scheme.

import type { EChartsType } from "echarts/core";
import { useEffect, useRef, useState } from "react";
import { chartOption } from "../../../../kernel/docs/draw/charts/chart-option.ts";
import type { Chart } from "../../../../kernel/docs/draw/charts/chart-context.ts";
import type { ResultTable } from "../../../../kernel/docs/draw/result-table.ts";
import { useIsDark } from "../theme/provider.tsx";
import styles from "./chart-view.module.css";
import { init } from "./echarts.ts";

/** What was clicked: the group's name, and the series'. */
export type ChartClick = { name: string; series: string };

type ChartViewProps = {
  label: string;
  viz: Chart;
  table: ResultTable;
  onClick?: ((click: ChartClick) => void) | undefined;
};

export default function ChartView({ label, viz, table, onClick }: ChartViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<{ width: number; height: number }>();
  const chart = useRef<EChartsType>(null);
  const clicked = useRef(onClick);
  clicked.current = onClick;
  const theme = useIsDark() ? "dark" : "light";
  useEffect(() => {
    const made = init(place.current!);
    chart.current = made;
    made.on("click", (event) => clicked.current?.({ name: event.name, series: event.seriesName ?? "" }));
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      made.resize({ width, height });
      setSize({ width, height });
    });
    observer.observe(place.current!);
    return () => {
      observer.disconnect();
      made.dispose();
    };
  }, []);
  useEffect(() => {
    if (!size || size.width < 1 || size.height < 1) return;
    const { option } = chartOption(viz, table, { ...size, theme });
    const fontFamily = getComputedStyle(place.current!).fontFamily;
    const byAxis = viz.type === "line" || viz.type === "area" || viz.type === "bar";
    chart.current!.setOption(
      {
        ...option,
        backgroundColor: "transparent",
        textStyle: { ...(option["textStyle"] as object), fontFamily },
        // Drawn on the canvas, since the policy of the page takes no styles in markup.
        tooltip: { renderMode: "richText", trigger: byAxis ? "axis" : "item", confine: true },
        aria: { enabled: true, label: { description: label } },
      },
      { notMerge: true },
    );
  }, [viz, table, size, theme, label]);
  return <div ref={place} className={styles.chart} data-acts={onClick ? true : undefined} />;
}
