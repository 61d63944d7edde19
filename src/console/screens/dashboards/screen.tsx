// Dashboards: docs that draw their datasets.

import { Route, Switch } from "wouter";
import { DashboardList } from "./dashboard-list.tsx";
import { DashboardPage } from "./dashboard-page.tsx";

export default function DashboardsScreen() {
  return (
    <Switch>
      <Route path="/dashboards/:docId">{({ docId }) => <DashboardPage key={docId} docId={docId} />}</Route>
      <Route>
        <DashboardList />
      </Route>
    </Switch>
  );
}
