// The page of whoever is not signed in: a link's button, or the ways that there are here. The address stays as it was,
// so that signing in leads to the screen that was asked for.

import { useMutation, useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useSearchParams } from "wouter";
import type { Me } from "../../api/me.ts";
import { hasPasskeys, signInByPasskey } from "../../api/identity/passkeys.ts";
import { findWays, signIn, type Credential } from "../../api/identity/sign-in.ts";
import { Anchor, Button, PasswordInput, Stack, Title, useInputState } from "../../ui/controls.ts";
import { ErrorNote } from "../../ui/feedback/states.tsx";
import { CardPage } from "../../ui/layout/card-page.tsx";
import { ByAccess } from "./by-access.tsx";
import { ByCredential } from "./by-credential.tsx";
import { ByEmail } from "./by-email.tsx";
import { ByProvider } from "./by-provider.tsx";
import styles from "./sign-in.module.css";

type SignInProps = {
  /** What the address has brought. */
  credential: Credential | undefined;
  /** Who is signed in on this browser already. */
  current: Me | undefined;
  onSignedIn: () => void;
  onCredentialDropped: () => void;
};

export function SignIn({ credential, current, onSignedIn, onCredentialDropped }: SignInProps) {
  const [search, setSearch] = useSearchParams();
  const providerId = search.get("provider");
  return (
    <CardPage title="Sign in">
      {credential ? (
        <ByCredential
          credential={credential}
          current={current}
          onSignedIn={onSignedIn}
          onOtherWay={onCredentialDropped}
        />
      ) : providerId !== null ? (
        <ByProvider providerId={providerId} onOtherWay={() => setSearch({})} />
      ) : (
        <Ways onSignedIn={onSignedIn} />
      )}
    </CardPage>
  );
}

function Ways({ onSignedIn }: Pick<SignInProps, "onSignedIn">) {
  const ways = useQuery({ queryKey: ["sign-in-ways"], queryFn: findWays });
  const [key, setKey] = useInputState("");
  const signing = useMutation({ mutationFn: signIn, onSuccess: onSignedIn });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (key.trim() !== "") signing.mutate({ api_key: key.trim() });
  };
  return (
    <Stack gap="lg">
      <Title order={1}>Sign in</Title>
      {ways.data?.access && <ByAccess onSignedIn={onSignedIn} />}
      {ways.data?.passkey && hasPasskeys() && <ByPasskey onSignedIn={onSignedIn} />}
      {ways.data && <ByEmail mayMail={ways.data.link} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <PasswordInput
            label="API key"
            description="It is exchanged for a session; the browser does not keep it."
            autoComplete="current-password"
            value={key}
            onChange={setKey}
          />
          <Button type="submit" loading={signing.isPending} disabled={key.trim() === ""}>
            Sign in with the key
          </Button>
          {signing.error && <ErrorNote error={signing.error} />}
        </Stack>
      </form>
      <p className={styles.text}>
        No key yet? An admin of your team makes one, or sends you a link. Everything here can be done by HTTP, too:{" "}
        <Anchor href="/docs" inherit underline="always">
          the API
        </Anchor>
        .
      </p>
    </Stack>
  );
}

function ByPasskey({ onSignedIn }: { onSignedIn: () => void }) {
  const signing = useMutation({ mutationFn: signInByPasskey, onSuccess: onSignedIn });
  return (
    <Stack gap="sm">
      <Button variant="default" loading={signing.isPending} onClick={() => signing.mutate()}>
        Sign in with a passkey
      </Button>
      {signing.error && <ErrorNote error={signing.error} />}
    </Stack>
  );
}
