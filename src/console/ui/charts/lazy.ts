// Charts, whose code is fetched when the first is shown.

import { lazy } from "react";

export type { ChartClick } from "./chart-view.tsx";
export const ChartView = lazy(() => import("./chart-view.tsx"));
