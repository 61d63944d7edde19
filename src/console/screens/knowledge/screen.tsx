// Knowledge: the glossary and the verified queries that agents are given, and one term with its versions.

import { Route, Switch } from "wouter";
import { KnowledgePage } from "./knowledge-page.tsx";
import { TermPage } from "./term-page.tsx";

export default function KnowledgeScreen() {
  return (
    <Switch>
      <Route path="/knowledge/:termId">{({ termId }) => <TermPage key={termId} termId={termId} />}</Route>
      <Route>
        <KnowledgePage />
      </Route>
    </Switch>
  );
}
