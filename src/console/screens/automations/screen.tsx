// Jobs: what runs by a schedule or when asked, each time as a run, each try of a run as an attempt.

import { Route, Switch } from "wouter";
import { JobList } from "./job-list.tsx";
import { JobPage } from "./job-page.tsx";
import { RunPage } from "./run/run-page.tsx";

export default function AutomationsScreen() {
  return (
    <Switch>
      <Route path="/automations/:jobId/runs/:runId">
        {({ jobId, runId }) => <RunPage key={runId} jobId={jobId} runId={runId} />}
      </Route>
      <Route path="/automations/:jobId">{({ jobId }) => <JobPage key={jobId} jobId={jobId} />}</Route>
      <Route>
        <JobList />
      </Route>
    </Switch>
  );
}
