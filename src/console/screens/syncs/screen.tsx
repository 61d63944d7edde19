// Syncs: how the tables of connected databases come into the lake, and how each does.

import { Route, Switch } from "wouter";
import { SyncFormPage } from "./form/sync-form.tsx";
import { RunPage } from "./run/run-page.tsx";
import { SyncPage } from "./sync/sync-page.tsx";
import { SyncList } from "./sync-list.tsx";

export default function SyncsScreen() {
  return (
    <Switch>
      <Route path="/syncs/new">
        <SyncFormPage />
      </Route>
      <Route path="/syncs/:id/runs/:runId">
        {({ id, runId }) => <RunPage key={runId} integrationId={id} runId={runId} />}
      </Route>
      <Route path="/syncs/:id">{({ id }) => <SyncPage key={id} integrationId={id} />}</Route>
      <Route>
        <SyncList />
      </Route>
    </Switch>
  );
}
