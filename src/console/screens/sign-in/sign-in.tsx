// The page of whoever is not signed in: a link's button, an API key, or a mailed link. The address stays as it was, so
// that signing in leads to the screen that was asked for.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState, type FormEvent, type ReactNode } from "react";
import { hasPasskeys, signInByPasskey } from "../../api/passkeys.ts";
import { findWays, mailLink, signIn, type Credential } from "../../api/sign-in.ts";
import { Anchor, Button, PasswordInput, Stack, TextInput, Title } from "../../ui/controls.ts";
import { ErrorNote } from "../../ui/feedback/states.tsx";
import { Wordmark } from "../../ui/theme/wordmark.tsx";
import { takeCredential } from "./credential.ts";
import styles from "./sign-in.module.css";

export function SignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const [credential] = useState(takeCredential);
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
      {ways.data?.passkey && hasPasskeys() && <ByPasskey onSignedIn={onSignedIn} />}
      {ways.data?.link && <ByMail />}
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
        <Anchor href="/docs" inherit>
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

function ByMail(): ReactNode {
  const [email, setEmail] = useState("");
  const send = useMutation({ mutationFn: () => mailLink(email.trim()) });
  if (send.isSuccess)
    return (
      <p className={styles.text} role="status">
        If {email.trim()} belongs to a member of a team, a link is on its way. It works for 15 minutes.
      </p>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={send.isPending} disabled={email.trim() === ""}>
          Mail me a link
        </Button>
        {send.error && <ErrorNote error={send.error} />}
      </Stack>
    </form>
  );
}
