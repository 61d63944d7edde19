// The editor of a semantic model shows its files and their flaws as one types. A draft is kept by the browser; the
// address names the file.

import { Suspense, useState } from "react";
import { Link } from "wouter";
import { Alert, Button, Group, Modal, Text } from "../../ui/controls.ts";
import { ConflictNote } from "../../ui/editor/conflict-note.tsx";
import { YamlEditor } from "../../ui/editor/lazy.ts";
import { EmptyState, ErrorNote, LoadingLines } from "../../ui/feedback/states.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { textChanges, withDrafted, type ModelFile } from "./changes.ts";
import { DraftDialog } from "./draft-dialog.tsx";
import { FileList } from "./file-list.tsx";
import styles from "./models.module.css";
import type { ShownModel } from "./model-page.tsx";
import { Checked, Flaws } from "./model-flaws.tsx";
import { flawsIn } from "./queries.ts";
import { SaveDialog } from "./save-dialog.tsx";
import { useModelDraft } from "./use-model-draft.ts";
import { useSearch } from "../../ui/use-search.ts";

export function ModelEditor({ cube, base, saved }: ShownModel) {
  const [search, changeSearch] = useSearch();
  const draft = useModelDraft(cube.id, saved);
  const { changes, isChanged, isOld, files, check, flaws, warnings, keep } = draft;
  const [isSaving, setSaving] = useState(false);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const [place, setPlace] = useState<{ line: number; column: number }>();
  const file = files.find(({ path }) => path === search.get("file")) ?? files[0];

  const open = (path: string) => changeSearch({ file: path, draft: undefined });
  const setDrafting = (isDrafting: boolean) => changeSearch({ draft: isDrafting ? "tables" : undefined });
  const takeDraft = (drafted: readonly ModelFile[], warned: readonly string[]) => {
    const { changes: next, added, left } = withDrafted(saved.files, changes, drafted);
    keep(next);
    setNotes([
      ...(left.length > 0 ? [`These files are there already and were left as they are: ${left.join(", ")}.`] : []),
      ...warned,
    ]);
    const [first] = added;
    if (first === undefined) setDrafting(false);
    else open(first);
  };
  return (
    <Page
      title={cube.name}
      lead={base && `A semantic model over ${base.name}, in Cube's YAML.`}
      trail={<Link href="/models">Semantic models</Link>}
      actions={
        <>
          {saved.version > 0 && (
            <>
              <Button size="xs" variant="default" component={Link} href={`/explore?in=${cube.id}`}>
                Explore it
              </Button>
              <Button size="xs" variant="default" component={Link} href={`/models/${cube.id}/versions`}>
                Versions
              </Button>
            </>
          )}
          {base && (
            <Button size="xs" variant="default" onClick={() => setDrafting(true)}>
              Draft from tables …
            </Button>
          )}
          <Button size="xs" disabled={!isChanged || isOld || files.length === 0} onClick={() => setSaving(true)}>
            Save …
          </Button>
        </>
      }
    >
      {isOld && (
        <ConflictNote
          newest={saved.version}
          begun={draft.begun}
          changes={textChanges(saved.files, changes)}
          verb="Go on with mine over it"
          onKeep={() => keep(changes, saved.version)}
          onDrop={draft.drop}
        >
          Files that you did not touch are those of the newest version.
        </ConflictNote>
      )}
      {notes.length > 0 && (
        <Alert
          color="gray"
          title="Look through the draft before you rely on it"
          withCloseButton
          onClose={() => setNotes([])}
          closeButtonLabel="Close these notes"
        >
          {notes.map((note) => (
            <Text key={note} size="sm">
              {note}
            </Text>
          ))}
        </Alert>
      )}
      <div className={styles.editor}>
        <FileList
          files={files}
          saved={saved.files}
          changes={changes}
          flaws={flaws}
          open={file?.path}
          onOpen={open}
          onChange={(path, content) => {
            keep({ ...changes, [path]: content });
            if (content !== null) open(path);
          }}
        />
        <div className={styles.text}>
          {file ? (
            <Suspense fallback={<LoadingLines lines={10} />}>
              <YamlEditor
                key={file.path}
                label={`The text of ${file.path}`}
                value={file.content}
                flaws={flawsIn(flaws, file.path)}
                place={place}
                onChange={(content) => content !== file.content && keep({ ...changes, [file.path]: content })}
                onSave={() => isChanged && !isOld && setSaving(true)}
              />
            </Suspense>
          ) : (
            <EmptyState
              title="The model has no files"
              action={base && <Button onClick={() => setDrafting(true)}>Draft it from tables …</Button>}
            >
              Draft cubes from the tables of {base?.name ?? "its base"}, or add a file and write them.
            </EmptyState>
          )}
          {check.error && files.length > 0 && <ErrorNote error={check.error} onRetry={() => void check.refetch()} />}
          <Flaws
            flaws={flaws}
            onOpen={({ file: path, line = 1, column = 1 }) => {
              if (path !== undefined) open(path);
              setPlace({ line, column });
            }}
          />
          {warnings.map((warning) => (
            <Text key={warning} size="sm" c="dimmed">
              {warning}
            </Text>
          ))}
          <Group gap="sm">
            <Text size="xs" c="dimmed">
              {isChanged
                ? "A draft, kept in this browser until you save it."
                : saved.version > 0
                  ? `Version ${saved.version}.`
                  : "Nothing is saved yet."}
            </Text>
            {files.length > 0 && isChanged && (
              <Checked isChecking={check.isFetching} flaws={flaws.length} isKnown={check.isSuccess} />
            )}
            {isChanged && (
              <Button size="compact-xs" variant="subtle" color="gray" onClick={draft.drop}>
                Drop the draft
              </Button>
            )}
          </Group>
        </div>
      </div>
      {base && (
        <Modal
          opened={search.get("draft") === "tables"}
          onClose={() => setDrafting(false)}
          title={`Draft a model from tables of ${base.name}`}
        >
          {search.get("draft") === "tables" && <DraftDialog cube={cube} base={base} onDrafted={takeDraft} />}
        </Modal>
      )}
      <Modal opened={isSaving} onClose={() => setSaving(false)} title="Save the model" size="xl">
        {isSaving && (
          <SaveDialog
            cube={cube}
            saved={saved}
            changes={changes}
            files={files}
            onSaved={() => {
              draft.drop();
              setNotes([]);
              setSaving(false);
            }}
            onConflict={() => setSaving(false)}
          />
        )}
      </Modal>
    </Page>
  );
}
