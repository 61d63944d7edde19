// A button that copies a text and says for a moment that it has.

import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";

const SAID_MS = 2_000;

/** `label` says what is copied, for screen readers. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const clipboard = useClipboard({ timeout: SAID_MS });
  return (
    <Button size="xs" variant="default" aria-label={label} onClick={() => clipboard.copy(text)}>
      {clipboard.copied ? "Copied" : "Copy"}
    </Button>
  );
}
