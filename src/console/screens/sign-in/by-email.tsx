// Signing in by an e-mail address: at the organisation that its domain is of, or by a link that is mailed to it.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { beginAtProvider, findProviders, signInAt } from "../../api/identity/oidc.ts";
import { mailLink } from "../../api/identity/sign-in.ts";
import { Button, Stack, TextInput } from "../../ui/controls.ts";
import { ErrorNote } from "../../ui/feedback/states.tsx";
import styles from "./sign-in.module.css";
import { Form } from "../../ui/forms/form.tsx";

export function ByEmail({ mayMail }: { mayMail: boolean }) {
  const [email, setEmail] = useState("");
  const send = useMutation({ mutationFn: () => mailLink(email.trim()) });
  const find = useMutation({
    mutationFn: () => findProviders(email.trim()),
    onSuccess: ([provider, ...others]) => {
      if (provider && others.length === 0) go.mutate(provider.id);
    },
  });
  const go = useMutation({ mutationFn: async (providerId: string) => signInAt(await beginAtProvider(providerId)) });
  if (send.isSuccess)
    return (
      <p className={styles.text} role="status">
        If {email.trim()} belongs to a member of a team, a link is on its way. It works for 15 minutes.
      </p>
    );
  const error = find.error ?? go.error ?? send.error;
  return (
    <Form onSubmit={() => find.mutate()}>
      <Stack gap="sm">
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="email"
          value={email}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            find.reset();
          }}
        />
        <Button type="submit" variant="default" loading={find.isPending || go.isPending} disabled={email.trim() === ""}>
          Sign in with your organisation
        </Button>
        {find.data?.length === 0 && (
          <p className={styles.text} role="status">
            No organisation here signs in people of that address's domain. Sign in another way, or ask an admin of your
            team for its address to sign in at.
          </p>
        )}
        {find.data && find.data.length > 1 && (
          <Stack gap="xs" role="group" aria-label="Organisations">
            {find.data.map(({ id, name }) => (
              <Button key={id} variant="default" onClick={() => go.mutate(id)}>
                {name}
              </Button>
            ))}
          </Stack>
        )}
        {mayMail && (
          <Button
            variant="default"
            loading={send.isPending}
            disabled={email.trim() === ""}
            onClick={() => send.mutate()}
          >
            Mail me a link
          </Button>
        )}
        {error && <ErrorNote error={error} />}
      </Stack>
    </Form>
  );
}
