// Dashboards: docs that draw their datasets.

import { listScreen } from "../../ui/layout/list-screen.tsx";
import { DashboardList } from "./dashboard-list.tsx";
import { DashboardPage } from "./dashboard-page.tsx";

export default listScreen("/dashboards", DashboardList, DashboardPage);
