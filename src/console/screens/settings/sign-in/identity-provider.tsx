// The team's identity provider: whether there is one, what it needs to know, and whether one's own account is bound.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, bodyOf, dataOf } from "../../../api/client.ts";
import { asProblem } from "../../../api/problem.ts";
import type { components } from "../../../api/schema.d.ts";
import { Button, Group, Modal, Stack, useDisclosure } from "../../../ui/controls.ts";
import { ListTable } from "../../../ui/data/list-table.tsx";
import { Snippet } from "../../../ui/data/snippet.tsx";
import { Loaded } from "../../../ui/feedback/states.tsx";
import { showToast } from "../../../ui/feedback/toasts.tsx";
import { ConfirmButton } from "../../../ui/forms/confirm-button.tsx";
import { Panel } from "../../../ui/layout/page.tsx";
import { OwnAccount } from "./own-account.tsx";
import { ProviderForm } from "./provider-form.tsx";

type Provider = components["schemas"]["IdentityProvider"];

const KEY = ["identity-provider"];

/** Null where the team has none. */
async function findProvider(): Promise<Provider | null> {
  try {
    return await dataOf(api.GET("/v4/team/identity-provider"));
  } catch (error) {
    if (asProblem(error).status === 404) return null;
    throw error;
  }
}

export function IdentityProvider() {
  const cache = useQueryClient();
  const [isSetting, setting] = useDisclosure(false);
  const provider = useQuery({ queryKey: KEY, queryFn: findProvider });
  const refresh = () => cache.invalidateQueries({ queryKey: KEY });
  const remove = useMutation({
    mutationFn: () => bodyOf(api.DELETE("/v4/team/identity-provider")),
    onSuccess: refresh,
    onError: (error) => showToast(error.message, "bad"),
  });
  return (
    <Panel title="Identity provider">
      <Loaded query={provider}>
        {(found) => (
          <Stack gap="md" align="stretch">
            {found ? (
              <Facts provider={found} />
            ) : (
              <p>
                With one, the team's people sign in where they do for everything else. It speaks OpenID Connect, as
                Keycloak, Authentik, Okta, Google and Entra do, and never gives a role or a right.
              </p>
            )}
            <Group gap="xs">
              <Button variant="default" onClick={setting.open}>
                {found ? "Change it" : "Set it up"}
              </Button>
              {found && (
                <ConfirmButton
                  size="sm"
                  question={`Nobody signs in at ${found.name} any more. Sessions that are there go on.`}
                  verb="Give it up"
                  onConfirm={() => remove.mutate()}
                >
                  Give it up
                </ConfirmButton>
              )}
            </Group>
            <Modal opened={isSetting} onClose={setting.close} title="Identity provider">
              {isSetting && (
                <ProviderForm
                  provider={found}
                  onSaved={() => {
                    setting.close();
                    return refresh();
                  }}
                />
              )}
            </Modal>
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

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
