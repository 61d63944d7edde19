// Published endpoints: which there are, how they are called, how fast they answer, and who holds a key.

import { Route, Switch } from "wouter";
import { EndpointList } from "./endpoint-list.tsx";
import { EndpointPage } from "./endpoint-page.tsx";

export default function EndpointsScreen() {
  return (
    <Switch>
      <Route path="/endpoints/:endpointId">
        {({ endpointId }) => <EndpointPage key={endpointId} endpointId={endpointId} />}
      </Route>
      <Route>
        <EndpointList />
      </Route>
    </Switch>
  );
}
