// The agents that act in the name of whoever is signed in, each until it is ended here.

import { api, bodyOf, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { Panel } from "../../ui/layout/page.tsx";

const PAGE_ROWS = 50;
const LIST_KEY = ["agents"];

export function Agents() {
  const pages = usePages(LIST_KEY, (offset) =>
    dataOf(api.GET("/v4/agent-authorizations", { params: { query: { limit: PAGE_ROWS, offset } } })),
  );
  const end = useAction(
    (id: string) =>
      bodyOf(api.DELETE("/v4/agent-authorizations/{authorization_id}", { params: { path: { authorization_id: id } } })),
    { renews: LIST_KEY },
  );
  return (
    <Panel title="Agents that act for you">
      <PagedTable
        label="Agents"
        pages={pages}
        keyOf={(agent) => agent.id}
        empty={
          <p>
            None. Give a program that speaks MCP the address <code>{location.origin}/mcp</code>: it leads you here to
            ask.
          </p>
        }
        columns={[
          { name: "Program", cell: (agent) => agent.client_name },
          { name: "Of", cell: (agent) => new URL(agent.client_id).host },
          { name: "May", cell: (agent) => agent.scopes.join(", ") },
          { name: "Since", cell: (agent) => <Time at={agent.created_at} /> },
          { name: "Ends", cell: (agent) => <Time at={agent.expires_at} /> },
          {
            name: "",
            cell: (agent) => (
              <ConfirmButton
                question={`${agent.client_name} asks you again before it does anything more.`}
                verb="End it"
                isBusy={end.isPending}
                onConfirm={() => end.mutate(agent.id)}
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
