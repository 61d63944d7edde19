// A draft that began from an older version conflicts with the newest. What it changes of that is shown, and neither
// text is lost before somebody says so.

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { TextChanges, type TextChange } from "./text-changes.tsx";

type ConflictNoteProps = {
  newest: number;
  /** The version that the draft began from. */
  begun: number;
  /** What the draft changes of the newest version. */
  changes: readonly TextChange[];
  /** The verb of the button that keeps the draft. */
  verb: string;
  isBusy?: boolean;
  onKeep: () => void;
  onDrop: () => void;
  /** What else is to be known of the newest version. */
  children?: string;
};

export function ConflictNote(props: ConflictNoteProps) {
  const { newest, begun, changes, verb, isBusy = false, onKeep, onDrop, children } = props;
  return (
    <Alert color="yellow" title={`Version ${newest} was saved meanwhile`}>
      <Stack gap="xs">
        <Text size="sm">
          Your draft began from version {begun} and is kept here. {children} Below is what it changes of the newest.
        </Text>
        <TextChanges changes={changes} />
        <Group gap="xs">
          <Button size="xs" loading={isBusy} onClick={onKeep}>
            {verb}
          </Button>
          <Button size="xs" variant="default" onClick={onDrop}>
            Take the newest, drop mine
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
