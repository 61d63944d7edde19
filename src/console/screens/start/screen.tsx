// Home: what runs, what failed, and what to do next.

import { useMe } from "../../api/me.ts";
import { Page } from "../../ui/layout/page.tsx";

export default function HomeScreen() {
  const { user, team } = useMe();
  return (
    <Page title={team.name} lead={`Signed in as ${user.name}.`}>
      <p>…</p>
    </Page>
  );
}
