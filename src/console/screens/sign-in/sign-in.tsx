// The page of whoever is not signed in: a link's button, or the ways that there are here. The address stays as it was,
// so that signing in leads to the screen that was asked for.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState, type FormEvent } from "react";
import { useSearchParams } from "wouter";
import { hasPasskeys, signInByPasskey } from "../../api/passkeys.ts";
import { findWays, signIn, type Credential } from "../../api/sign-in.ts";
import { Anchor, Button, PasswordInput, Stack, Title } from "../../ui/controls.ts";
import { ErrorNote } from "../../ui/feedback/states.tsx";
import { Wordmark } from "../../ui/theme/wordmark.tsx";
import { ByAccess } from "./by-access.tsx";
import { ByEmail } from "./by-email.tsx";
import { ByProvider } from "./by-provider.tsx";
import { takeCredential } from "./credential.ts";
import styles from "./sign-in.module.css";

export function SignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const [credential] = useState(takeCredential);
  const [search, setSearch] = useSearchParams();
  const providerId = search.get("provider");
  useEffect(() => {
    document.title = "Sign in · Fjord";
  }, []);
  const signing = useMutation({ mutationFn: signIn, onSuccess: onSignedIn });
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <Wordmark />
        {credential ? (
          <ByCredential
            credential={credential}
            isBusy={signing.isPending}
            onConfirm={() => signing.mutate(credential)}
          />
        ) : providerId !== null ? (
          <ByProvider providerId={providerId} onOtherWay={() => setSearch({})} />
        ) : (
          <Ways
            onSignedIn={onSignedIn}
            isBusy={signing.isPending}
            onKey={(apiKey) => signing.mutate({ api_key: apiKey })}
          />
        )}
        {signing.error && <ErrorNote error={signing.error} />}
      </div>
    </main>
  );
}

type ByCredentialProps = { credential: Credential; isBusy: boolean; onConfirm: () => void };

/** A click spends a link: programs that look into mail open links and press nothing. */
function ByCredential({ credential, isBusy, onConfirm }: ByCredentialProps) {
  return (
    <Stack gap="md">
      <Title order={1}>Sign in</Title>
      <p className={styles.text}>
        {"link" in credential
          ? "This link signs you in once, on this browser."
          : "This address brings an API key. Signing in keeps a session on this browser, and not the key."}
      </p>
      <Button loading={isBusy} onClick={onConfirm} data-autofocus>
        Sign in
      </Button>
    </Stack>
  );
}

type WaysProps = { isBusy: boolean; onKey: (key: string) => void; onSignedIn: () => void };

function Ways({ isBusy, onKey, onSignedIn }: WaysProps) {
  const ways = useQuery({ queryKey: ["sign-in-ways"], queryFn: findWays });
  const [key, setKey] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (key.trim() !== "") onKey(key.trim());
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
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <Button type="submit" loading={isBusy} disabled={key.trim() === ""}>
            Sign in with the key
          </Button>
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
