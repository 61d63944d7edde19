// Lines across a chart at values that its author names.

import type { Viz } from "../../viz.ts";
import type { ChartOption } from "./chart-context.ts";
import { shortened } from "../group-rows.ts";
import type { Theme } from "./themes.ts";

type References = NonNullable<Extract<Viz, { type: "line" }>["reference"]>;

export const referenceLines = (
  references: References,
  { theme, isHorizontal }: { theme: Theme; isHorizontal: boolean },
): ChartOption => ({
  markLine: {
    symbol: "none",
    silent: true,
    data: references.map(({ y, label, color }) => ({
      [isHorizontal ? "xAxis" : "yAxis"]: y,
      label: {
        formatter: () => shortened(label ?? String(y)),
        position: isHorizontal ? "start" : "insideEndTop",
        ...(isHorizontal && { rotate: 0 }),
        color: color ?? theme.text,
        fontSize: 11,
        textBorderColor: theme.background,
        textBorderWidth: 3,
      },
      lineStyle: { color: color ?? theme.muted, type: "dashed", width: 1.5 },
    })),
  },
});
