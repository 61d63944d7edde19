// Teams, for operators of the platform: each team, its plan, a link for its admin, and what the platform works on.

import { useState } from "react";
import { api, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import type { components } from "../../api/schema.d.ts";
import {
  Button,
  Choice,
  Group,
  Modal,
  TextInput,
  useDebouncedValue,
  useDisclosure,
  useInputState,
} from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { EmptyState } from "../../ui/feedback/states.tsx";
import { useAction, useFormAction } from "../../ui/feedback/use-action.ts";
import { ShownOnce } from "../../ui/forms/shown-once.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { PlatformPanel } from "./platform-panel.tsx";
import { DialogForm } from "../../ui/forms/dialog-form.tsx";

type Team = components["schemas"]["Team"];
type TeamPlan = Team["plan"];

const PAGE_ROWS = 100;
const TYPED_MS = 250;
const PLANS: Record<TeamPlan, string> = {
  free: "Free",
  trial: "Trial",
  standard: "Standard",
  enterprise: "Enterprise",
};

export default function TeamsScreen() {
  const [isAdding, adding] = useDisclosure(false);
  const [text, setText] = useInputState("");
  const [search] = useDebouncedValue(text.trim(), TYPED_MS);
  const pages = usePages(["teams", search], (offset) =>
    dataOf(api.GET("/v4/admin/teams", { params: { query: { limit: PAGE_ROWS, offset, ...(search && { search }) } } })),
  );
  return (
    <Page
      title="Teams"
      lead="Everything below is an operator's."
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
          Make a team
        </Button>
      }
    >
      <PlatformPanel />
      <TextInput label="Search" w={280} value={text} onChange={setText} />
      <PagedTable
        label="Teams"
        pages={pages}
        keyOf={(team) => team.id}
        empty={<EmptyState title="No team of that name" />}
        columns={[
          { name: "Name", cell: (team) => team.name },
          { name: "Domain", cell: (team) => team.domain ?? "none" },
          { name: "Plan", cell: (team: Team) => <ChoosePlan team={team} /> },
          { name: "Since", cell: (team) => <Time at={team.created_at} /> },
          { name: "", cell: (team) => <AdminLink team={team} /> },
        ]}
      />
      <Modal opened={isAdding} onClose={adding.close} title="Make a team">
        {isAdding && <NewTeam />}
      </Modal>
    </Page>
  );
}

function ChoosePlan({ team }: { team: Team }) {
  const change = useAction(
    (plan: TeamPlan) =>
      dataOf(api.PATCH("/v4/admin/teams/{team_id}", { params: { path: { team_id: team.id } }, body: { plan } })),
    { renews: ["teams"] },
  );
  return (
    <Choice
      aria-label={`Plan of ${team.name}`}
      size="xs"
      w={130}
      disabled={change.isPending}
      data={PLANS}
      value={team.plan}
      onChange={change.mutate}
    />
  );
}

function AdminLink({ team }: { team: Team }) {
  const [isOpen, modal] = useDisclosure(false);
  const make = useAction(
    () =>
      dataOf(
        api.POST("/v4/admin/teams/{team_id}/magic-link", {
          params: { path: { team_id: team.id } },
          body: { mail: false },
        }),
      ),
    { onDone: modal.open },
  );
  return (
    <>
      <Button size="xs" variant="default" loading={make.isPending} onClick={() => make.mutate()}>
        Link for its admin
      </Button>
      <Modal opened={isOpen} onClose={modal.close} title={`A link into ${team.name}`} size="lg">
        {make.data && (
          <ShownOnce title={`Signs in as ${make.data.user.name}, once`} secret={make.data.url}>
            Hand it on; it ends in 15 minutes, and links that were made before have ended.
          </ShownOnce>
        )}
      </Modal>
    </>
  );
}

function NewTeam() {
  const [name, setName] = useInputState("");
  const [plan, setPlan] = useState<TeamPlan>("free");
  const [admin, setAdmin] = useState({ name: "", email: "" });
  const create = useFormAction(
    () => dataOf(api.POST("/v4/admin/teams", { body: { name: name.trim(), domain: null, plan, admin } })),
    { renews: ["teams"] },
  );
  if (create.data) return <ShownOnce title={`The key of ${create.data.admin.name}`} secret={create.data.api_key.key} />;
  return (
    <DialogForm work={create} verb="Make the team">
      <TextInput label="Name" required data-autofocus value={name} onChange={setName} />
      <Choice label="Plan" data={PLANS} value={plan} onChange={setPlan} />
      <Group grow>
        <TextInput
          label="Its admin"
          required
          value={admin.name}
          onChange={(e) => setAdmin({ ...admin, name: e.currentTarget.value })}
        />
        <TextInput
          label="Admin's e-mail"
          type="email"
          required
          value={admin.email}
          onChange={(e) => setAdmin({ ...admin, email: e.currentTarget.value })}
        />
      </Group>
    </DialogForm>
  );
}
