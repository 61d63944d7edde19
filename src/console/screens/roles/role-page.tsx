// One data role: its grants, which are edited as a whole, and its members.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import type { components } from "../../api/schema.d.ts";
import { Alert, Button, Group, Stack, TextInput, useInputState } from "../../ui/controls.ts";
import { ErrorNote, Loaded } from "../../ui/feedback/states.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { useAction, useFormAction } from "../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { Page, Panel } from "../../ui/layout/page.tsx";
import { fromForm, GrantList, toForm } from "./grant-list.tsx";
import { RoleMembers } from "./role-members.tsx";

type AccessRole = components["schemas"]["AccessRole"];

export function RolePage({ id }: { id: string }) {
  const role = useQuery({
    queryKey: ["roles", id],
    queryFn: () => dataOf(api.GET("/v4/data-access/roles/{role_id}", { params: { path: { role_id: id } } })),
  });
  return <Loaded query={role}>{(found) => <Role role={found} />}</Loaded>;
}

function Role({ role }: { role: AccessRole }) {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const [name, setName] = useInputState(role.name);
  const [description, setDescription] = useInputState(role.description ?? "");
  const [grants, setGrants] = useState(() => role.grants.map(toForm));
  // The form takes what is stored in place: who has saved keeps the focus, and whatever is open stays open.
  const [version, setVersion] = useState(role.version);
  if (version !== role.version) {
    setVersion(role.version);
    setName(role.name);
    setDescription(role.description ?? "");
    setGrants(role.grants.map(toForm));
  }
  const path = { role_id: role.id };
  const save = useFormAction(
    (changed: number) =>
      dataOf(
        api.PATCH("/v4/data-access/roles/{role_id}", {
          params: { path, header: { "If-Match": `"${changed}"` } },
          body: { name: name.trim(), description: description.trim() || null, grants: grants.map(fromForm) },
        }),
      ),
    {
      renews: ["roles"],
      onDone: ({ warnings }) => {
        for (const warning of warnings) showToast(warning, "bad");
        if (warnings.length === 0) showToast("Saved. It holds from the next statement on.");
      },
    },
  );
  const remove = useAction(() => bodyOf(api.DELETE("/v4/data-access/roles/{role_id}", { params: { path } })), {
    renews: ["roles"],
    onDone: () => navigate("/roles"),
  });
  // Once what is stored has come in, by whatever way, the form is not older than that any more.
  const refused = save.variables === role.version ? save.error : null;
  const isOutdated = refused !== null && asProblem(refused).status === 412;
  return (
    <Page
      title={role.name}
      trail={<Link href="/roles">Data roles</Link>}
      actions={
        <ConfirmButton
          question="Its members lose what it grants. Whoever is in no other role reads everything again."
          verb="Delete the role"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
        >
          Delete
        </ConfirmButton>
      }
    >
      <Panel title="What it grants">
        <Group grow align="start">
          <TextInput label="Name" value={name} onChange={setName} />
          <TextInput label="Description" value={description} onChange={setDescription} />
        </Group>
        <GrantList grants={grants} onChange={setGrants} />
        {isOutdated ? (
          <Alert color="yellow" title="Somebody else has changed this role meanwhile">
            <Stack gap="xs" align="start">
              What you see here is older than what is stored. Load the stored one, and make your change again.
              <Button size="xs" onClick={() => void cache.invalidateQueries({ queryKey: ["roles"] })}>
                Load what is stored
              </Button>
            </Stack>
          </Alert>
        ) : (
          refused && <ErrorNote error={refused} />
        )}
        <Group>
          <Button loading={save.isPending} onClick={() => save.mutate(role.version)}>
            Save
          </Button>
        </Group>
      </Panel>
      <RoleMembers roleId={role.id} />
    </Page>
  );
}
