// Signing in by Cloudflare Access, which has let this browser through already: without a question, but for the team
// where there are several, and not right after somebody has signed out.

import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { hasSignedOut, signInByAccess } from "../../api/identity/sign-in.ts";
import { Button, Stack } from "../../ui/controls.ts";
import { ErrorNote } from "../../ui/feedback/states.tsx";
import styles from "./sign-in.module.css";

export function ByAccess({ onSignedIn }: { onSignedIn: () => void }) {
  const signing = useMutation({
    mutationFn: signInByAccess,
    onSuccess: ({ kind }) => {
      if (kind === "signed_in") onSignedIn();
    },
  });
  const { mutate } = signing;
  useEffect(() => {
    if (!hasSignedOut()) mutate(undefined);
  }, [mutate]);
  if (signing.data?.kind === "choose_team")
    return (
      <Stack gap="sm" role="group" aria-label="Teams">
        <p className={styles.text}>Your address is a user's of several teams. Which one do you want to open?</p>
        {signing.data.teams.map(({ id, name }) => (
          <Button key={id} variant="default" onClick={() => mutate(id)}>
            {name}
          </Button>
        ))}
      </Stack>
    );
  return (
    <Stack gap="sm">
      <Button variant="default" loading={signing.isPending} onClick={() => mutate(undefined)}>
        Sign in by Cloudflare Access
      </Button>
      {signing.error && <ErrorNote error={signing.error} />}
    </Stack>
  );
}
