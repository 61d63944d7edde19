// Data roles: which rows and columns their members read, and who the members are.

import { Route, Switch } from "wouter";
import { RoleList } from "./role-list.tsx";
import { RolePage } from "./role-page.tsx";

export default function RolesScreen() {
  return (
    <Switch>
      <Route path="/roles/:roleId">{({ roleId }) => <RolePage key={roleId} roleId={roleId} />}</Route>
      <Route>
        <RoleList />
      </Route>
    </Switch>
  );
}
