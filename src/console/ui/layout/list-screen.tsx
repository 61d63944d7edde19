// A screen that lists things, and shows the one whose id its address names.

import type { ComponentType } from "react";
import { Route, Switch } from "wouter";

/** `path` is that of the list. */
export const listScreen = (path: string, List: ComponentType, One: ComponentType<{ id: string }>) => () => (
  <Switch>
    <Route path={`${path}/:id`}>{({ id }) => <One key={id} id={id!} />}</Route>
    <Route component={List} />
  </Switch>
);
