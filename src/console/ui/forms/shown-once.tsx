// A secret that is shown this once, with a button that copies it.

import { Alert, Code, Group, Stack, Text } from "@mantine/core";
import { CopyButton } from "./copy-button.tsx";

type ShownOnceProps = { title: string; secret: string; children?: string };

export function ShownOnce({ title, secret, children }: ShownOnceProps) {
  return (
    <Alert color="yellow" title={title}>
      <Stack gap="xs">
        <Text size="sm">{children ?? "Copy it now: it is not shown again."}</Text>
        <Group gap="xs" wrap="nowrap" align="start">
          <Code block style={{ flex: 1, overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
            {secret}
          </Code>
          <CopyButton text={secret} label={`Copy ${title}`} />
        </Group>
      </Stack>
    </Alert>
  );
}
