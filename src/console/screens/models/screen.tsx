// Semantic models of the team are listed, and one of them is edited.

import { Route, Switch } from "wouter";
import { ModelList } from "./model-list.tsx";
import { ModelPage } from "./model-page.tsx";

export default function ModelsScreen() {
  return (
    <Switch>
      <Route path="/models/:id">{({ id }) => <ModelPage key={id} integrationId={id} />}</Route>
      <Route>
        <ModelList />
      </Route>
    </Switch>
  );
}
