// Signing in at the identity provider that the address names: an admin hands out such an address for the team. Anybody
// may have, so the host is named before the browser goes there.

import { useMutation } from "@tanstack/react-query";
import { beginAtProvider, signInAt } from "../../api/identity/oidc.ts";
import { Anchor, Button, Stack, Title } from "../../ui/controls.ts";
import { ErrorNote } from "../../ui/feedback/states.tsx";
import styles from "./sign-in.module.css";

export function ByProvider({ providerId, onOtherWay }: { providerId: string; onOtherWay: () => void }) {
  const go = useMutation({ mutationFn: () => beginAtProvider(providerId) });
  return (
    <Stack gap="md">
      <Title order={1}>Sign in</Title>
      <p className={styles.text}>Your organisation's own page asks who you are, and sends you back.</p>
      {go.data ? (
        <>
          <p className={styles.text} role="status">
            It asks you at <b>{go.data.host}</b>. Go on only if you know that place.
          </p>
          <Button onClick={() => signInAt(go.data)}>Go to {go.data.host}</Button>
        </>
      ) : (
        <Button loading={go.isPending} onClick={() => go.mutate()} data-autofocus>
          Sign in with your organisation
        </Button>
      )}
      {go.error && <ErrorNote error={go.error} />}
      <Anchor component="button" type="button" size="sm" onClick={onOtherWay}>
        Sign in another way
      </Anchor>
    </Stack>
  );
}
