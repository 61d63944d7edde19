// The draft of a model: what is changed of its files, from which version it began, and what the platform finds wrong.

import { useQuery } from "@tanstack/react-query";
import { useDebouncedValue } from "../../ui/controls.ts";
import { useDraft } from "../../ui/editor/drafts.ts";
import { changedFiles, differing, readChanges, type Changes, type ModelFile } from "./changes.ts";
import { checkQuery, type SavedModel } from "./queries.ts";

const QUIET_MS = 500;

export function useModelDraft(cubeId: string, saved: SavedModel) {
  const [draft, setDraft] = useDraft(`model:${cubeId}`);
  const changes = differing(saved.files, readChanges(draft?.text));
  const isChanged = Object.keys(changes).length > 0;
  const begun = isChanged ? draft!.base : saved.version;
  const files = changedFiles(saved.files, changes);
  const [typed] = useDebouncedValue(JSON.stringify(files), QUIET_MS);
  const checked = JSON.parse(typed) as ModelFile[];
  const check = useQuery({ ...checkQuery(cubeId, checked), enabled: checked.length > 0 && files.length > 0 });
  return {
    changes,
    isChanged,
    /** The version that it began from, and whether that is the newest no more. */
    begun,
    isOld: isChanged && begun !== saved.version,
    /** The model with its changes. */
    files,
    check,
    flaws: (files.length > 0 && check.data?.flaws) || [],
    warnings: isChanged && files.length > 0 ? (check.data?.warnings ?? []) : [],
    keep(next: Changes, from = begun) {
      const different = differing(saved.files, next);
      setDraft(Object.keys(different).length === 0 ? undefined : { base: from, text: JSON.stringify(different) });
    },
    drop: () => setDraft(undefined),
  };
}
