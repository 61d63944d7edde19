// Draws an option of ECharts, as large as there is room. The library comes with the first chart.

import { BarChart, LineChart, PieChart, ScatterChart } from "echarts/charts";
import { GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { useEffect, useRef } from "react";
import styles from "./results.module.css";

use([BarChart, LineChart, PieChart, ScatterChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer]);

type Colors = { text: string; line: string; series: string[] };

export default function ChartCanvas({ optionOf }: { optionOf: (colors: Colors) => Record<string, unknown> }) {
  const parent = useRef<HTMLDivElement>(null);
  const chart = useRef<ReturnType<typeof init>>(undefined);
  useEffect(() => {
    const made = init(parent.current, null, { renderer: "svg" });
    chart.current = made;
    const observer = new ResizeObserver(() => made.resize());
    observer.observe(parent.current!);
    return () => {
      observer.disconnect();
      made.dispose();
    };
  }, []);
  useEffect(() => {
    const look = getComputedStyle(parent.current!);
    const color = (name: string) => look.getPropertyValue(name).trim();
    const series = ["--link", "--code-text", "--code-number", "--code-name", "--warn", "--bad"].map(color);
    chart.current!.setOption(optionOf({ text: color("--text-dim"), line: color("--line"), series }), true);
  });
  return <div ref={parent} className={styles.canvas} role="img" aria-label="Chart of the result" />;
}
