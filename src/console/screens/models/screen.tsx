// Semantic models of the team are listed, and one of them is edited or its versions are looked at.

import { Route, Switch } from "wouter";
import { ModelEditor } from "./model-editor.tsx";
import { ModelList } from "./model-list.tsx";
import { ModelPage } from "./model-page.tsx";
import { ModelVersions } from "./model-versions.tsx";

export default function ModelsScreen() {
  return (
    <Switch>
      <Route path="/models/:id">{({ id }) => <ModelPage key={id} integrationId={id} show={ModelEditor} />}</Route>
      <Route path="/models/:id/versions">
        {({ id }) => <ModelPage key={id} integrationId={id} show={ModelVersions} />}
      </Route>
      <Route>
        <ModelList />
      </Route>
    </Switch>
  );
}
