// The account of whoever is signed in: who they are, what they may, and where else they are signed in.

import { api, bodyOf, dataOf } from "../../api/client.ts";
import { useMe } from "../../api/me.ts";
import { usePages } from "../../api/pages.ts";
import type { components } from "../../api/schema.d.ts";
import { Group } from "../../ui/controls.ts";
import { ListTable } from "../../ui/data/list-table.tsx";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { State, Time } from "../../ui/data/values.tsx";
import { EmptyState } from "../../ui/feedback/states.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { Page, Panel } from "../../ui/layout/page.tsx";
import { Agents } from "./agents.tsx";
import { Identities } from "./identities.tsx";
import { OwnKeys } from "./own-keys.tsx";
import { Passkeys } from "./passkeys.tsx";

type Session = components["schemas"]["Session"];

const PAGE_ROWS = 50;
const METHODS: Record<Session["method"], string> = {
  key: "an API key",
  link: "a link",
  passkey: "a passkey",
  oidc: "the team's identity provider",
  access: "Cloudflare Access",
};

export default function AccountScreen() {
  const { user, team, role, is_operator: isOperator, rights, scopes } = useMe();
  const facts = [
    ["Name", user.name],
    ["E-mail", user.email],
    ["Team", team.name],
    ["Role", isOperator ? `${role}, operator of the platform` : role],
  ] as const;
  return (
    <Page title="Account">
      <Panel title="You">
        <ListTable
          label="You"
          rows={facts}
          keyOf={([name]) => name}
          columns={[
            { name: "Fact", cell: ([name]) => name },
            { name: "Value", cell: ([, value]) => value },
          ]}
        />
      </Panel>
      <Identities />
      <Passkeys />
      <Agents />
      <OwnKeys />
      <Sessions />
      <Panel title="What you may">
        <p>
          {scopes
            ? "You signed in with a key that has scopes: this session may what they allow."
            : "What your role in the team allows."}
        </p>
        <Group gap={6}>
          {rights.map((right) => (
            <code key={right}>{right}</code>
          ))}
        </Group>
      </Panel>
    </Page>
  );
}

function Sessions() {
  const pages = usePages(["sessions"], (offset) =>
    dataOf(api.GET("/v4/sessions", { params: { query: { limit: PAGE_ROWS, offset } } })),
  );
  const end = useAction(
    (session: Session) =>
      bodyOf(api.DELETE("/v4/sessions/{session_id}", { params: { path: { session_id: session.id } } })),
    { renews: ["sessions"] },
  );
  return (
    <Panel title="Where you are signed in">
      <PagedTable
        label="Sessions"
        pages={pages}
        keyOf={(session) => session.id}
        empty={<EmptyState title="Nowhere">You ask with a key, which is no session.</EmptyState>}
        columns={[
          {
            name: "Browser",
            cell: (session) => (
              <>
                {session.user_agent ?? "unknown"} {session.is_current && <State tone="good">this one</State>}
              </>
            ),
          },
          { name: "Signed in by", cell: (session) => METHODS[session.method] },
          { name: "Since", cell: (session) => <Time at={session.created_at} /> },
          { name: "Last used", cell: (session) => <Time at={session.used_at} /> },
          { name: "Ends", cell: (session) => <Time at={session.expires_at} /> },
          {
            name: "",
            cell: (session) =>
              !session.is_current && (
                <ConfirmButton
                  question="Whoever uses that browser has to sign in anew. Its drafts stay there."
                  verb="End it"
                  isBusy={end.isPending}
                  onConfirm={() => end.mutate(session)}
                >
                  End
                </ConfirmButton>
              ),
          },
        ]}
      />
    </Panel>
  );
}
