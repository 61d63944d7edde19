// The account at the provider of whoever sets it up: an admin's is bound by their own consent alone.

import { useMutation, useQuery } from "@tanstack/react-query";
import { api, dataOf } from "../../../api/client.ts";
import { bindAtProvider } from "../../../api/identity/oidc.ts";
import { Button, Group } from "../../../ui/controls.ts";
import { State } from "../../../ui/data/values.tsx";
import { ErrorNote, Loaded } from "../../../ui/feedback/states.tsx";

export function OwnAccount({ issuer, name }: { issuer: string; name: string }) {
  const own = useQuery({ queryKey: ["identities"], queryFn: () => dataOf(api.GET("/v4/identities")) });
  const bind = useMutation({ mutationFn: bindAtProvider });
  return (
    <Loaded query={own}>
      {({ items }) =>
        items.some((each) => each.issuer === issuer && each.consented_at !== null) ? (
          <State tone="good">{`Your own account at ${name} is bound: you sign in by it.`}</State>
        ) : (
          <>
            <p>
              An admin's account is bound by nobody but themselves. Sign in at {name} once, and agree that whoever signs
              in as you at {new URL(issuer).host} is signed in here as you.
            </p>
            <Group>
              <Button variant="default" loading={bind.isPending} onClick={() => bind.mutate()}>
                Bind my own account
              </Button>
            </Group>
            {bind.error && <ErrorNote error={bind.error} />}
          </>
        )
      }
    </Loaded>
  );
}
