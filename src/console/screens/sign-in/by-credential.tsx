// Signing in by an address that brings a link's token or an API key. Its sender may want somebody in an account of the
// sender's, so the page says whose it is before the click. The click alone spends a link: programs that look into mail
// open links and press nothing.

import { useMutation, useQuery } from "@tanstack/react-query";
import type { Me } from "../../api/me.ts";
import { previewSignIn, signIn, type Credential } from "../../api/identity/sign-in.ts";
import { Alert, Anchor, Button, Stack, Title } from "../../ui/controls.ts";
import { ErrorNote, Loaded } from "../../ui/feedback/states.tsx";
import styles from "./sign-in.module.css";

type ByCredentialProps = {
  credential: Credential;
  /** Who is signed in on this browser already. */
  current: Me | undefined;
  onSignedIn: () => void;
  onOtherWay: () => void;
};

export function ByCredential({ credential, current, onSignedIn, onOtherWay }: ByCredentialProps) {
  const preview = useQuery({
    queryKey: ["sign-in-preview", credential],
    queryFn: () => previewSignIn(credential),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const signing = useMutation({ mutationFn: () => signIn(credential), onSuccess: onSignedIn });
  return (
    <Stack gap="md">
      <Title order={1}>Sign in</Title>
      <Loaded query={preview}>
        {({ user, team }) => (
          <>
            <p className={styles.text}>
              This {"link" in credential ? "link, which works once," : "address"} signs you in as <b>{user.name}</b>,{" "}
              {user.email}, in the team <b>{team.name}</b>. Go on only if that is you.
            </p>
            {current && current.user.id !== user.id && (
              <Alert color="yellow" title={`${current.user.name} is signed in`}>
                That session on this browser, in the team {current.team.name}, ends when you sign in.
              </Alert>
            )}
            <Button loading={signing.isPending} onClick={() => signing.mutate()} data-autofocus>
              Sign in as {user.name}
            </Button>
          </>
        )}
      </Loaded>
      {signing.error && <ErrorNote error={signing.error} />}
      <Anchor component="button" type="button" size="sm" onClick={onOtherWay}>
        {current ? `Stay signed in as ${current.user.name}` : "Sign in another way"}
      </Anchor>
    </Stack>
  );
}
