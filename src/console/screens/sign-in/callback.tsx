// The page that identity providers send people back to: it ends what they went for, and leads to where they were.

import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { endReturn, takeReturn } from "../../api/identity/oidc.ts";
import { Button, Stack, Title } from "../../ui/controls.ts";
import { ErrorNote, LoadingLines } from "../../ui/feedback/states.tsx";
import { CardPage } from "../../ui/layout/card-page.tsx";

export function Callback({ onEnded }: { onEnded: (path: string) => void }) {
  const [back] = useState(takeReturn);
  const ending = useMutation({ mutationFn: () => endReturn(back), onSuccess: () => onEnded(back.path) });
  const { mutate } = ending;
  useEffect(() => {
    mutate();
  }, [mutate]);
  return (
    <CardPage title="Sign in">
      <Title order={1}>{back.purpose === "bind" ? "Bind your account" : "Sign in"}</Title>
      {ending.error ? (
        <Stack gap="md">
          <ErrorNote error={ending.error} />
          <Button onClick={() => onEnded(back.path)}>Go back</Button>
        </Stack>
      ) : (
        <LoadingLines lines={2} />
      )}
    </CardPage>
  );
}
