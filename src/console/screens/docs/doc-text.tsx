// A doc's text, edited. What is typed is kept as a draft; a save that meets another's shows both and loses neither.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { docQuery, saveDocText, type DocDetail } from "../../api/docs.ts";
import { useMay } from "../../api/me.ts";
import { asProblem } from "../../api/problem.ts";
import { Alert, Button, Group, Modal, Stack, Text } from "../../ui/controls.ts";
import { useDraft } from "../../ui/editor/drafts.ts";
import { DiffView, YamlEditor } from "../../ui/editor/lazy.ts";
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
        <Alert color="yellow" title={`Version ${doc.version} was saved meanwhile`}>
          <Stack gap="xs">
            <Text size="sm">
              Your text began from version {base} and is kept here. Below is what yours changes of the newest.
            </Text>
            <Suspense fallback={<LoadingLines />}>
              <DiffView label="The newest version against your text" before={doc.text} after={text} />
            </Suspense>
            <Group gap="xs">
              <Button size="xs" onClick={() => saveOver(doc.version)} loading={save.isPending}>
                Save mine over it
              </Button>
              <Button size="xs" variant="default" onClick={() => setDraft(undefined)}>
                Take the newest, drop mine
              </Button>
            </Group>
          </Stack>
        </Alert>
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
        <Suspense fallback={<LoadingLines />}>
          <DiffView label="Your changes" before={doc.text} after={text} />
        </Suspense>
      </Modal>
    </Stack>
  );
}
