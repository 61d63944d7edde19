// Saved queries: the list of the team's, and one of them with its versions and uses.

import { Route, Switch } from "wouter";
import { QueryList } from "./query-list.tsx";
import { QueryPage } from "./query-page.tsx";

export default function QueriesScreen() {
  return (
    <Switch>
      <Route path="/queries/:queryId">{({ queryId }) => <QueryPage key={queryId} queryId={queryId} />}</Route>
      <Route>
        <QueryList />
      </Route>
    </Switch>
  );
}
