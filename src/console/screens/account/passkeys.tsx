// The passkeys of whoever is signed in: with one, neither key nor mail is needed to sign in.

import { useQuery } from "@tanstack/react-query";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { createPasskey, hasPasskeys } from "../../api/identity/passkeys.ts";
import { findWays } from "../../api/identity/sign-in.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { NameForm } from "../../ui/forms/name-form.tsx";
import { Panel } from "../../ui/layout/page.tsx";

const PAGE_ROWS = 50;
const LIST_KEY = ["passkeys"];

export function Passkeys() {
  const ways = useQuery({ queryKey: ["sign-in-ways"], queryFn: findWays });
  const pages = usePages(LIST_KEY, (offset) =>
    dataOf(api.GET("/v4/passkeys", { params: { query: { limit: PAGE_ROWS, offset } } })),
  );
  const remove = useAction(
    (id: string) => bodyOf(api.DELETE("/v4/passkeys/{passkey_id}", { params: { path: { passkey_id: id } } })),
    { renews: LIST_KEY },
  );
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
      {isPossible && <NameForm label="Name of a new passkey" verb="Make it" renews={LIST_KEY} add={createPasskey} />}
    </Panel>
  );
}
