// A secret that is shown this once, with a button that copies it.

import { Alert, Stack, Text } from "@mantine/core";
import { Snippet } from "../data/snippet.tsx";

type ShownOnceProps = { title: string; secret: string; children?: string };

export function ShownOnce({ title, secret, children }: ShownOnceProps) {
  return (
    <Alert color="yellow" title={title}>
      <Stack gap="xs">
        <Text size="sm">{children ?? "Copy it now: it is not shown again."}</Text>
        <Snippet text={secret} label={title} />
      </Stack>
    </Alert>
  );
}
