// Home: what runs and what failed, a newcomer's next steps, and how programs reach this platform.

import { useMe } from "../../api/me.ts";
import { Page } from "../../ui/layout/page.tsx";
import { Checklist } from "./checklist.tsx";
import { Snippets } from "./snippets.tsx";
import { NeedsAttention } from "./needs-attention.tsx";

export default function HomeScreen() {
  const { user, team } = useMe();
  return (
    <Page title={team.name} lead={`Good to see you, ${user.name}.`}>
      <NeedsAttention />
      <Checklist />
      <Snippets />
    </Page>
  );
}
