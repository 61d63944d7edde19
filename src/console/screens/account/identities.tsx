// The accounts at the team's identity provider that are bound to whoever is signed in.

import { useMutation, useQuery } from "@tanstack/react-query";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { bindAtProvider, findProvider, PROVIDER_KEY } from "../../api/identity/oidc.ts";
import { usePages } from "../../api/pages.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { ErrorNote } from "../../ui/feedback/states.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { Panel } from "../../ui/layout/page.tsx";

const PAGE_ROWS = 50;

export function Identities() {
  const pages = usePages(["identities", "pages"], (offset) =>
    dataOf(api.GET("/v4/identities", { params: { query: { limit: PAGE_ROWS, offset } } })),
  );
  const provider = useQuery({ queryKey: PROVIDER_KEY, queryFn: findProvider }).data?.provider;
  const bind = useMutation({ mutationFn: bindAtProvider });
  const remove = useAction(
    (id: string) => bodyOf(api.DELETE("/v4/identities/{identity_id}", { params: { path: { identity_id: id } } })),
    { renews: ["identities"] },
  );
  if (!provider && !pages.items?.length) return null;
  return (
    <Panel
      title="Your organisation"
      actions={
        provider && (
          <ConfirmButton
            question={`Whoever signs in as you at ${new URL(provider.issuer).host} is signed in here as you, with all that you may. The team's admins have chosen that place.`}
            verb="Bind it"
            isBusy={bind.isPending}
            onConfirm={() => bind.mutate()}
          >
            Bind an account
          </ConfirmButton>
        )
      }
    >
      <PagedTable
        label="Accounts at the identity provider"
        pages={pages}
        keyOf={(identity) => identity.id}
        empty={<p>None is bound. Bind your account at {provider?.name}, and you sign in by it.</p>}
        columns={[
          { name: "At", cell: (identity) => identity.issuer },
          { name: "Account", cell: (identity) => <code>{identity.subject}</code> },
          {
            name: "Bound",
            cell: (identity) => (
              <>
                <Time at={identity.created_at} /> {identity.consented_at === null ? "by your address" : "by you"}
              </>
            ),
          },
          { name: "Last used", cell: (identity) => <Time at={identity.used_at} /> },
          {
            name: "",
            cell: (identity) => (
              <ConfirmButton
                question="That account signs you in no more. Sessions that it has made go on."
                verb="Unbind it"
                onConfirm={() => remove.mutate(identity.id)}
              >
                Unbind
              </ConfirmButton>
            ),
          },
        ]}
      />
      {bind.error && <ErrorNote error={bind.error} />}
    </Panel>
  );
}
