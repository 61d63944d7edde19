// The team's mail domains: each with the DNS record that proves it, and whether it was seen.

import { useQueryClient } from "@tanstack/react-query";
import { api, bodyOf, dataOf } from "../../../api/client.ts";
import { usePages } from "../../../api/pages.ts";
import type { components } from "../../../api/schema.d.ts";
import { PagedTable } from "../../../ui/data/paged-table.tsx";
import { State, Time } from "../../../ui/data/values.tsx";
import { useAction } from "../../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../../ui/forms/confirm-button.tsx";
import { NameForm } from "../../../ui/forms/name-form.tsx";
import { Panel } from "../../../ui/layout/page.tsx";
import { DomainRecord } from "./domain-record.tsx";

type Domain = components["schemas"]["TeamDomain"];

const PAGE_ROWS = 50;
const LIST_KEY = ["team-domains"];

export function Domains() {
  const cache = useQueryClient();
  const refresh = () => cache.invalidateQueries({ queryKey: LIST_KEY });
  const pages = usePages(LIST_KEY, (offset) =>
    dataOf(api.GET("/v4/team/domains", { params: { query: { limit: PAGE_ROWS, offset } } })),
  );
  const remove = useAction(
    (id: string) => bodyOf(api.DELETE("/v4/team/domains/{domain_id}", { params: { path: { domain_id: id } } })),
    { renews: LIST_KEY },
  );
  const unproven = pages.items?.filter((domain) => domain.proven_at === null) ?? [];
  return (
    <Panel title="Mail domains">
      <p>
        People whose address is of a proven domain find the identity provider by it, and members' first sign-in there
        binds their account by an address that the provider has verified.
      </p>
      <PagedTable
        label="Mail domains"
        pages={pages}
        keyOf={(domain) => domain.id}
        empty={<p>None yet. Name one, add its DNS record, and have it looked for.</p>}
        columns={[
          { name: "Domain", cell: (domain) => domain.domain },
          { name: "Proof", cell: (domain) => <Proof domain={domain} /> },
          { name: "Named", cell: (domain) => <Time at={domain.created_at} /> },
          {
            name: "",
            cell: (domain) => (
              <ConfirmButton
                question={`Addresses of ${domain.domain} bind no further accounts. Accounts that are bound stay.`}
                verb="Give it up"
                onConfirm={() => remove.mutate(domain.id)}
              >
                Give up
              </ConfirmButton>
            ),
          },
        ]}
      />
      {unproven.map((domain) => (
        <DomainRecord key={domain.id} domain={domain} onProven={refresh} />
      ))}
      <NameForm
        label="A domain of the team's"
        placeholder="acme.example"
        verb="Name it"
        renews={LIST_KEY}
        add={(domain) => dataOf(api.POST("/v4/team/domains", { body: { domain } }))}
      />
    </Panel>
  );
}

function Proof({ domain: { proven_at: at, proven_by: by } }: { domain: Domain }) {
  if (at === null) return <State tone="warn">not proven yet</State>;
  return (
    <>
      <State tone="good">{by === "operator" ? "an operator vouched for it" : "its DNS record was seen"}</State>{" "}
      <Time at={at} />
    </>
  );
}
