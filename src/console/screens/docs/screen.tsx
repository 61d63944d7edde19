// Docs: what they define, their versions, and their runs.

import { Route, Switch } from "wouter";
import { DocList } from "./doc-list.tsx";
import { DocPage } from "./doc-page.tsx";
import { NewDoc } from "./new-doc.tsx";
import { RunPage } from "./run/run-page.tsx";

export default function DocsScreen() {
  return (
    <Switch>
      <Route path="/docs/new">
        <NewDoc />
      </Route>
      <Route path="/docs/:docId/runs/:runId">
        {({ docId, runId }) => <RunPage key={runId} docId={docId} runId={runId} />}
      </Route>
      <Route path="/docs/:docId">{({ docId }) => <DocPage key={docId} docId={docId} />}</Route>
      <Route>
        <DocList />
      </Route>
    </Switch>
  );
}
