// A member's keys: made, rotated and revoked here. A key itself is shown once.

import { useState } from "react";
import { api, bodyOf, dataOf } from "../../../api/client.ts";
import { useMe, type Right } from "../../../api/me.ts";
import { usePages } from "../../../api/pages.ts";
import type { components } from "../../../api/schema.d.ts";
import { Button, Modal, MultiSelect, TextInput, useDisclosure, useInputState } from "../../../ui/controls.ts";
import { PagedTable } from "../../../ui/data/paged-table.tsx";
import { Time } from "../../../ui/data/values.tsx";
import { useAction, useFormAction } from "../../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../../ui/forms/confirm-button.tsx";
import { ShownOnce } from "../../../ui/forms/shown-once.tsx";
import { Panel } from "../../../ui/layout/page.tsx";
import { DialogForm } from "../../../ui/forms/dialog-form.tsx";

type User = components["schemas"]["User"];
type ApiKey = components["schemas"]["ApiKey"];

const PAGE_ROWS = 50;

export function MemberKeys({ user }: { user: User }) {
  const [isAdding, adding] = useDisclosure(false);
  const queryKey = ["users", user.id, "keys"];
  const pages = usePages(queryKey, (offset) =>
    dataOf(
      api.GET("/v4/users/{user_id}/keys", {
        params: { path: { user_id: user.id }, query: { limit: PAGE_ROWS, offset } },
      }),
    ),
  );
  return (
    <Panel
      title="API keys"
      actions={
        <Button size="xs" variant="default" onClick={adding.open}>
          Make a key
        </Button>
      }
    >
      <PagedTable
        label={`Keys of ${user.name}`}
        pages={pages}
        keyOf={(key) => key.id}
        empty={<p>No keys. Programs need one; people sign in without.</p>}
        columns={[
          { name: "Name", cell: (key) => key.name },
          { name: "Ends in", cell: (key) => <code>…{key.hint}</code> },
          { name: "May", cell: (key) => key.scopes?.join(", ") ?? "all that its user may" },
          { name: "Last used", cell: (key) => <Time at={key.last_used_at} /> },
          { name: "Expires", cell: (key) => <Time at={key.expires_at} /> },
          { name: "", cell: (key: ApiKey) => <Revoke user={user} apiKey={key} /> },
        ]}
      />
      <Modal opened={isAdding} onClose={adding.close} title={`Make a key for ${user.name}`}>
        {isAdding && <NewKey user={user} queryKey={queryKey} />}
      </Modal>
    </Panel>
  );
}

function Revoke({ user, apiKey }: { user: User; apiKey: ApiKey }) {
  const revoke = useAction(
    () =>
      bodyOf(
        api.DELETE("/v4/users/{user_id}/keys/{key_id}", { params: { path: { user_id: user.id, key_id: apiKey.id } } }),
      ),
    { renews: ["users", user.id, "keys"] },
  );
  return (
    <ConfirmButton
      question={`Programs that use "${apiKey.name}" are refused from now on.`}
      verb="Revoke"
      isBusy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
    >
      Revoke
    </ConfirmButton>
  );
}

function NewKey({ user, queryKey }: { user: User; queryKey: string[] }) {
  const { rights } = useMe();
  const [name, setName] = useInputState("");
  const [expires, setExpires] = useInputState("");
  const [scopes, setScopes] = useState<Right[]>([]);
  const create = useFormAction(
    () =>
      dataOf(
        api.POST("/v4/users/{user_id}/keys", {
          params: { path: { user_id: user.id } },
          body: {
            name: name.trim(),
            expires_at: expires === "" ? null : new Date(`${expires}T00:00:00`).toISOString(),
            scopes: scopes.length === 0 ? null : scopes,
          },
        }),
      ),
    { renews: queryKey },
  );
  if (create.data) return <ShownOnce title={`The key "${create.data.name}"`} secret={create.data.key} />;
  return (
    <DialogForm work={create} verb="Make the key" isIncomplete={name.trim() === ""}>
      <TextInput label="Name" description="What will use it." required data-autofocus value={name} onChange={setName} />
      <TextInput
        label="Expires"
        type="date"
        description="Without a date it works until it is revoked."
        value={expires}
        onChange={setExpires}
      />
      <MultiSelect
        label="Only for"
        placeholder={scopes.length === 0 ? "all that its user may" : ""}
        searchable
        data={[...rights]}
        value={scopes}
        onChange={(chosen) => setScopes(chosen as Right[])}
      />
    </DialogForm>
  );
}
