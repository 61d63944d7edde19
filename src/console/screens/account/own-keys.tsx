// The keys of whoever is signed in, each until it is revoked here or ends.

import { api, bodyOf, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { Panel } from "../../ui/layout/page.tsx";

const PAGE_ROWS = 50;
const LIST_KEY = ["own-keys"];

export function OwnKeys() {
  const pages = usePages(LIST_KEY, (offset) =>
    dataOf(api.GET("/v4/keys", { params: { query: { limit: PAGE_ROWS, offset } } })),
  );
  const revoke = useAction(
    (id: string) => bodyOf(api.DELETE("/v4/keys/{key_id}", { params: { path: { key_id: id } } })),
    { renews: LIST_KEY },
  );
  return (
    <Panel title="Your keys">
      <PagedTable
        label="Your keys"
        pages={pages}
        keyOf={(key) => key.id}
        empty={
          <p>
            None. <code>fjord login {location.origin}</code> on the command line leads you here for one.
          </p>
        }
        columns={[
          { name: "Name", cell: (key) => key.name },
          { name: "Ends in", cell: (key) => <code>…{key.hint}</code> },
          { name: "May", cell: (key) => key.scopes?.join(", ") ?? "all that you may" },
          { name: "Last used", cell: (key) => <Time at={key.last_used_at} /> },
          { name: "Expires", cell: (key) => <Time at={key.expires_at} /> },
          {
            name: "",
            cell: (key) => (
              <ConfirmButton
                question={`Programs that use "${key.name}" are refused from now on.`}
                verb="Revoke it"
                isBusy={revoke.isPending}
                onConfirm={() => revoke.mutate(key.id)}
              >
                Revoke
              </ConfirmButton>
            ),
          },
        ]}
      />
    </Panel>
  );
}
