// The passkeys of whoever is signed in: with one, neither key nor mail is needed to sign in.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { createPasskey, hasPasskeys } from "../../api/passkeys.ts";
import { findWays } from "../../api/sign-in.ts";
import { Button, Group, TextInput } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { ErrorNote } from "../../ui/feedback/states.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { Panel } from "../../ui/layout/page.tsx";

const PAGE_ROWS = 50;

export function Passkeys() {
  const cache = useQueryClient();
  const [name, setName] = useState("");
  const refresh = () => cache.invalidateQueries({ queryKey: ["passkeys"] });
  const ways = useQuery({ queryKey: ["sign-in-ways"], queryFn: findWays });
  const pages = usePages(["passkeys"], (offset) =>
    dataOf(api.GET("/v4/passkeys", { params: { query: { limit: PAGE_ROWS, offset } } })),
  );
  const create = useMutation({
    mutationFn: () => createPasskey(name.trim()),
    onSuccess: () => {
      setName("");
      return refresh();
    },
  });
  const remove = useMutation({
    mutationFn: (id: string) =>
      bodyOf(api.DELETE("/v4/passkeys/{passkey_id}", { params: { path: { passkey_id: id } } })),
    onSuccess: refresh,
    onError: (error) => showToast(error.message, "bad"),
  });
  const isPossible = ways.data?.passkey === true && hasPasskeys();
  return (
    <Panel title="Passkeys">
      <PagedTable
        label="Passkeys"
        pages={pages}
        keyOf={(passkey) => passkey.id}
        empty={<p>None yet. With one you sign in by your device: without a key, and without mail.</p>}
        columns={[
          { name: "Name", cell: (passkey) => passkey.name },
          { name: "For", cell: (passkey) => passkey.host },
          { name: "Made", cell: (passkey) => <Time at={passkey.created_at} /> },
          { name: "Last used", cell: (passkey) => <Time at={passkey.used_at} /> },
          {
            name: "",
            cell: (passkey) => (
              <ConfirmButton
                question={`Nobody signs in by "${passkey.name}" any more.`}
                verb="Remove it"
                onConfirm={() => remove.mutate(passkey.id)}
              >
                Remove
              </ConfirmButton>
            ),
          },
        ]}
      />
      {ways.data && !isPossible && (
        <small>
          Browsers have passkeys for the names of hosts alone: open the console by its name
          {location.hostname === "127.0.0.1" && ", such as http://localhost"}.
        </small>
      )}
      {isPossible && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate();
          }}
        >
          <Group align="end" gap="xs">
            <TextInput
              label="Name of a new passkey"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={create.isPending} disabled={name.trim() === ""}>
              Make it
            </Button>
          </Group>
        </form>
      )}
      {create.error && <ErrorNote error={create.error} />}
    </Panel>
  );
}
