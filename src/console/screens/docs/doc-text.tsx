// A doc's text, edited. What is typed is kept as a draft; a save that meets another's shows both and loses neither.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { docQuery, saveDocText, type DocDetail } from "../../api/docs.ts";
import { useMay } from "../../api/me.ts";
import { asProblem } from "../../api/problem.ts";
import { Alert, Button, Group, Modal, Stack, Text } from "../../ui/controls.ts";
import { ConflictNote } from "../../ui/editor/conflict-note.tsx";
import { useDraft } from "../../ui/editor/drafts.ts";
import { YamlEditor } from "../../ui/editor/lazy.ts";
import { TextChanges } from "../../ui/editor/text-changes.tsx";
import { ErrorNote, LoadingLines } from "../../ui/feedback/states.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { flawsOf, warningsAt } from "./queries.ts";

const CONFLICT = 412;

export function DocText({ doc }: { doc: DocDetail }) {
  const cache = useQueryClient();
  const isReadOnly = !useMay("docs:write") || doc.archived_at !== null;
  const [draft, setDraft] = useDraft(`doc:${doc.id}`);
  const [isComparing, setIsComparing] = useState(false);
  const newest = useQuery({ ...docQuery(doc.id), enabled: false });
  const text = draft?.text ?? doc.text;
  const base = draft?.base ?? doc.version;
  const isChanged = draft !== undefined && draft.text !== doc.text;
  const changes = [{ name: "the text", before: doc.text, after: text }];
  const save = useMutation({
    mutationFn: (over: number) => saveDocText(doc, text, over),
    onSuccess: async () => {
      setDraft(undefined);
      showToast("Saved.");
      await cache.invalidateQueries({ queryKey: ["docs"] });
    },
    onError: (error) => asProblem(error).status === CONFLICT && void newest.refetch(),
  });
  const isConflict = save.error !== null && asProblem(save.error).status === CONFLICT;
  const isOld = isChanged && base !== doc.version;
  const saveOver = (version: number) => isChanged && !isReadOnly && save.mutate(version);
  return (
    <Stack gap="sm">
      {isConflict || isOld ? (
        <ConflictNote
          newest={doc.version}
          begun={base}
          changes={changes}
          verb="Save mine over it"
          isBusy={save.isPending}
          onKeep={() => saveOver(doc.version)}
          onDrop={() => setDraft(undefined)}
        />
      ) : (
        save.error && <ErrorNote error={save.error} />
      )}
      {doc.warnings.length > 0 && !isChanged && (
        <Alert color="gray" title={doc.warnings.length === 1 ? "One warning" : `${doc.warnings.length} warnings`}>
          {doc.warnings.map((warning) => (
            <Text key={warning} size="sm">
              {warning}
            </Text>
          ))}
        </Alert>
      )}
      <Suspense fallback={<LoadingLines lines={8} />}>
        <YamlEditor
          label={`The text of ${doc.name}`}
          value={text}
          isReadOnly={isReadOnly}
          flaws={isChanged ? flawsOf(save.error) : warningsAt(doc.warnings)}
          onChange={(next) => {
            if (next === text) return;
            save.reset();
            setDraft(next === doc.text ? undefined : { base, text: next });
          }}
          onSave={() => saveOver(base)}
        />
      </Suspense>
      {!isReadOnly && (
        <Group gap="xs">
          <Button disabled={!isChanged} loading={save.isPending} onClick={() => saveOver(base)}>
            Save
          </Button>
          <Button variant="default" disabled={!isChanged} onClick={() => setIsComparing(true)}>
            See changes
          </Button>
          <Button variant="subtle" color="gray" disabled={!isChanged} onClick={() => setDraft(undefined)}>
            Drop the draft
          </Button>
          <Text size="xs" c="dimmed">
            {isChanged ? "A draft, kept in this browser." : `Version ${doc.version}.`}
          </Text>
        </Group>
      )}
      <Modal opened={isComparing} onClose={() => setIsComparing(false)} title="What you changed" size="xl">
        <TextChanges changes={changes} />
      </Modal>
    </Stack>
  );
}
