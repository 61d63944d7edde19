// People: the members of the team, and what each may and holds.

import { Route, Switch } from "wouter";
import { MemberList } from "./member-list.tsx";
import { MemberPage } from "./member/member-page.tsx";

export default function PeopleScreen() {
  return (
    <Switch>
      <Route path="/people/:userId">{({ userId }) => <MemberPage key={userId} userId={userId} />}</Route>
      <Route>
        <MemberList />
      </Route>
    </Switch>
  );
}
