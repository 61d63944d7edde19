// The team's identity provider: whether there is one, what it needs to know, and whether one's own account is bound.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, bodyOf } from "../../../api/client.ts";
import { findProvider, PROVIDER_KEY } from "../../../api/identity/oidc.ts";
import type { components } from "../../../api/schema.d.ts";
import { Button, Group, Modal, useDisclosure } from "../../../ui/controls.ts";
import { ListTable } from "../../../ui/data/list-table.tsx";
import { Snippet } from "../../../ui/data/snippet.tsx";
import { Loaded } from "../../../ui/feedback/states.tsx";
import { useAction } from "../../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../../ui/forms/confirm-button.tsx";
import { Panel } from "../../../ui/layout/page.tsx";
import { OwnAccount } from "./own-account.tsx";
import { ProviderForm } from "./provider-form.tsx";

type Provider = components["schemas"]["IdentityProvider"];

export function IdentityProvider() {
  const cache = useQueryClient();
  const [isSetting, setting] = useDisclosure(false);
  const provider = useQuery({ queryKey: PROVIDER_KEY, queryFn: findProvider });
  const refresh = () => cache.invalidateQueries({ queryKey: PROVIDER_KEY });
  const remove = useAction(() => bodyOf(api.DELETE("/v4/team/identity-provider")), { renews: PROVIDER_KEY });
  const present = provider.data?.provider;
  return (
    <Panel
      title="Identity provider"
      actions={
        present && (
          <>
            <Button variant="default" size="xs" onClick={setting.open}>
              Change it
            </Button>
            <ConfirmButton
              question={`Nobody signs in at ${present.name} any more. Sessions that are there go on.`}
              verb="Give it up"
              onConfirm={() => remove.mutate()}
            >
              Give it up
            </ConfirmButton>
          </>
        )
      }
    >
      <Loaded query={provider}>
        {({ provider: found }) => (found ? <Facts provider={found} /> : <None onSetUp={setting.open} />)}
      </Loaded>
      <Modal opened={isSetting} onClose={setting.close} title="Identity provider">
        {isSetting && (
          <ProviderForm
            provider={present ?? null}
            onSaved={() => {
              setting.close();
              return refresh();
            }}
          />
        )}
      </Modal>
    </Panel>
  );
}

const None = ({ onSetUp }: { onSetUp: () => void }) => (
  <>
    <p>
      With one, the team's people sign in where they do for everything else. It speaks OpenID Connect, as Keycloak,
      Authentik, Okta, Google and Entra do, and never gives a role or a right.
    </p>
    <Group>
      <Button variant="default" onClick={onSetUp}>
        Set it up
      </Button>
    </Group>
  </>
);

function Facts({ provider }: { provider: Provider }) {
  const facts = [
    ["Name", provider.name],
    ["Issuer", provider.issuer],
    ["Client ID", provider.client_id],
    [
      "Client secret",
      provider.has_secret ? "kept sealed, and never shown" : "none: the client proves itself by PKCE alone",
    ],
  ] as const;
  return (
    <>
      <ListTable
        label="Identity provider"
        rows={facts}
        keyOf={([name]) => name}
        columns={[
          { name: "Fact", cell: ([name]) => name },
          { name: "Value", cell: ([, value]) => value },
        ]}
      />
      <p>Allow this redirect URI at the provider:</p>
      <Snippet text={provider.callback_url} label="Redirect URI" />
      <p>This address leads the team's people to its sign-in, whatever their domain:</p>
      <Snippet text={`${location.origin}/app/sign-in?provider=${provider.id}`} label="Address to sign in at" />
      <OwnAccount issuer={provider.issuer} name={provider.name} />
    </>
  );
}
