// The parts of ECharts that charts are drawn with.

import { BarChart, HeatmapChart, LineChart, PieChart, ScatterChart } from "echarts/charts";
import {
  CalendarComponent,
  GridComponent,
  LegendPlainComponent,
  MarkLineComponent,
  TitleComponent,
  VisualMapContinuousComponent,
  VisualMapPiecewiseComponent,
} from "echarts/components";
import { init, use } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { SVGRenderer } from "echarts/renderers";
import LRU from "zrender/lib/core/LRU.js";

const { get, put } = LRU.prototype;
// The library keeps the widths of texts in plain objects by the texts themselves, and changes what it finds there: of a
// text `__proto__` that is the prototype of every object in the isolate. A key with a letter before it is a member of
// none.
LRU.prototype.get = function (key) {
  return get.call(this, `k${key}`);
};
LRU.prototype.put = function (key, value) {
  return put.call(this, `k${key}`, value);
};

use([
  BarChart,
  HeatmapChart,
  LineChart,
  PieChart,
  ScatterChart,
  CalendarComponent,
  GridComponent,
  LegendPlainComponent,
  MarkLineComponent,
  TitleComponent,
  VisualMapContinuousComponent,
  VisualMapPiecewiseComponent,
  LabelLayout,
  SVGRenderer,
]);

export { init };
