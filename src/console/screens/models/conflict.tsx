// A draft that began from an older version conflicts with the newest. What it changes of that is shown, and neither
// text is lost before somebody says so.

import { Suspense } from "react";
import { Alert, Button, Group, Stack, Text } from "../../ui/controls.ts";
import { DiffView } from "../../ui/editor/lazy.ts";
import { LoadingLines } from "../../ui/feedback/states.tsx";
import type { Changes, ModelFile } from "./changes.ts";

type ConflictProps = {
  saved: { version: number; files: readonly ModelFile[] };
  begun: number;
  changes: Changes;
  onKeep: () => void;
  onDrop: () => void;
};

export function Conflict({ saved, begun, changes, onKeep, onDrop }: ConflictProps) {
  return (
    <Alert color="yellow" title={`Version ${saved.version} was saved meanwhile`}>
      <Stack gap="xs">
        <Text size="sm">
          Your draft began from version {begun} and is kept here. Files that you did not touch are those of the newest
          version. Below is what your draft changes of it.
        </Text>
        <ChangesView saved={saved.files} changes={changes} />
        <Group gap="xs">
          <Button size="xs" onClick={onKeep}>
            Go on with mine over it
          </Button>
          <Button size="xs" variant="default" onClick={onDrop}>
            Take the newest, drop mine
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** Each file that differs, with what went and what came. */
export function ChangesView({ saved, changes }: { saved: readonly ModelFile[]; changes: Changes }) {
  return (
    <Suspense fallback={<LoadingLines />}>
      {Object.entries(changes).map(([path, content]) => {
        const before = saved.find((file) => file.path === path)?.content;
        const what = content === null ? "is deleted" : before === undefined ? "is new" : "is changed";
        return (
          <Stack key={path} gap={4}>
            <Text size="sm">
              <code>{path}</code> {what}
            </Text>
            <DiffView label={`Changes of ${path}`} before={before ?? ""} after={content ?? ""} />
          </Stack>
        );
      })}
    </Suspense>
  );
}
