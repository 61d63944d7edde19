// Integrations: what the team has connected.

import { Route, Switch } from "wouter";
import { IntegrationList } from "./integration-list.tsx";
import { IntegrationPage } from "./integration-page.tsx";
import { Wizard } from "./wizard.tsx";

export default function IntegrationsScreen() {
  return (
    <Switch>
      <Route path="/integrations/new/:kind?">{({ kind }) => <Wizard kindName={kind} />}</Route>
      <Route path="/integrations/:id">{({ id }) => <IntegrationPage key={id} integrationId={id} />}</Route>
      <Route>
        <IntegrationList />
      </Route>
    </Switch>
  );
}
