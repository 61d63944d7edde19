// The one decision of the lake: whether a commit may be, and exactly what it writes. Pure.

import { COMMIT_FILES_MAX, type LakeChange, type LakeCommit } from "../../../kernel/lake/commit.ts";
import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import type { Flaw } from "../../core/problem.ts";
import { accept, refuse, type Answer } from "../../core/answer.ts";
import { alterTable } from "./changes/alter-table.ts";
import { setComments } from "./changes/comments.ts";
import { compact } from "./changes/compact.ts";
import { deleteRows } from "./changes/deletes.ts";
import { append, dropFiles, overwrite } from "./changes/files.ts";
import { createSchema, dropSchema } from "./changes/schemas.ts";
import { createTable, dropTable, renameTable } from "./changes/tables.ts";
import { pathsAdded, tableKey, type CatalogState } from "../state/state.ts";
import { findConflict } from "./conflicts.ts";
import { buildLeases, docOfActor } from "../writers/owners.ts";
import { draftTable, type Apply, type Draft } from "./draft.ts";
import type { SnapshotWrites } from "../format/snapshot-writes.ts";
import { renderSnapshot } from "./render-snapshot.ts";

const FLAWS_MAX = 100;
const TEXT_CHARACTERS_MAX = 10_000;

/** Whose commit it is, under which of the lake's leases; when, and where new ids come from. */
export type Committer = { jobId: string; lease: string; nowMs: number; newUuid: () => string };

/**
 * Refuses with `resource_conflict` or, with every flaw, `validation_failed`. Undefined is a commit that changes no
 * table.
 */
export function decideCommit(
  commit: LakeCommit,
  state: CatalogState,
  committer: Committer,
): Answer<SnapshotWrites | undefined> {
  if (!state.others)
    return refuse(
      "resource_conflict",
      `Snapshot ${commit.baseSnapshotId} is not, or no longer, one that changes can be made from.`,
    );
  const draft = openDraft(commit, state, committer);
  draft.flaws.push(...flawsOfCommit(commit, committer.lease));
  for (const [index, change] of commit.changes.entries()) {
    const conflict = apply(draft, change, `/changes/${index}`);
    if (conflict) return refuse("resource_conflict", conflict);
  }
  const conflict = findConflict(draft.intents, state.others);
  if (conflict) return refuse("resource_conflict", conflict);
  if (draft.flaws.length > 0)
    return refuse("validation_failed", "The commit is not valid.", draft.flaws.slice(0, FLAWS_MAX));
  return accept(changesNothing(commit, draft) ? undefined : renderSnapshot(draft, commit, committer.nowMs));
}

/** Comments may be what they were; everything else is a change of itself. */
const changesNothing = ({ changes }: LakeCommit, { tables }: Draft): boolean =>
  changes.every(({ kind }) => kind === "set_comments") &&
  [...tables.values()].every(({ newComments }) => newComments.size === 0);

function openDraft(commit: LakeCommit, state: CatalogState, { jobId, newUuid }: Committer): Draft {
  const { others: _, tables, ...read } = state;
  return {
    ...read,
    head: { ...state.head },
    schemas: new Map(state.schemas),
    tables: new Map([...tables].map(([key, table]) => [key, draftTable(table, table)])),
    snapshotId: state.head.snapshotId + 1,
    jobId,
    actor: commit.actor ?? "user",
    baseSnapshotId: commit.baseSnapshotId,
    droppedTables: [],
    createdSchemas: [],
    droppedSchemas: [],
    intents: [],
    flaws: [],
    newUuid,
    newFiles: newFilesOf(commit),
  };
}

function newFilesOf({ changes }: LakeCommit): Draft["newFiles"] {
  const files = new Map<string, string[]>();
  for (const change of changes) {
    const paths = pathsAdded(change);
    if (paths.length === 0 || !("name" in change)) continue;
    const key = tableKey(change.schema, change.name);
    files.set(key, [...(files.get(key) ?? []), ...paths]);
  }
  return files;
}

function flawsOfCommit(commit: LakeCommit, lease: string): Flaw[] {
  const { changes, author, message, actor, state = [] } = commit;
  const flaws: Flaw[] = [];
  const files = changes.reduce((sum, change) => sum + pathsAdded(change).length, 0);
  if (files > COMMIT_FILES_MAX)
    flaws.push({ pointer: "/changes", message: `A commit has at most ${COMMIT_FILES_MAX} files.` });
  const compactions = changes.filter(({ kind }) => kind === "compact").length;
  if (compactions > 0 && compactions < changes.length)
    flaws.push({ pointer: "/changes", message: "A commit that compacts does nothing else." });
  if (actor !== undefined && !mayActAs(actor, lease))
    flaws.push({ pointer: "/actor", message: "A sync and a doc commit under their own leases." });
  for (const [field, text] of Object.entries({ author, message })) {
    if (text !== null && text.length > TEXT_CHARACTERS_MAX)
      flaws.push({ pointer: `/${field}`, message: `At most ${TEXT_CHARACTERS_MAX} characters.` });
  }
  for (const [index, { value }] of state.entries()) {
    const isLong = value !== null && new TextEncoder().encode(value).length > LAKE_CATALOG_LIMITS.stateBytesMax;
    if (isLong)
      flaws.push({
        pointer: `/state/${index}/value`,
        message: `A note has at most ${LAKE_CATALOG_LIMITS.stateBytesMax} bytes.`,
      });
  }
  return flaws;
}

/** Whether who holds the lease may commit as this actor: the owner of tables, or anybody. */
function mayActAs(actor: string, lease: string): boolean {
  const docId = docOfActor(actor);
  if (docId !== undefined) return lease.startsWith(`${buildLeases(docId)}/`);
  return !actor.startsWith("sync:") || lease === actor.replace(":", "/");
}

const APPLY: { [Kind in LakeChange["kind"]]: Apply<Kind> } = {
  create_schema: createSchema,
  drop_schema: dropSchema,
  create_table: createTable,
  drop_table: dropTable,
  rename_table: renameTable,
  alter_table: alterTable,
  set_comments: setComments,
  append,
  overwrite,
  delete: deleteRows,
  drop_files: dropFiles,
  compact,
};

/** Returns the conflict, if there is one. */
const apply = <Kind extends LakeChange["kind"]>(
  draft: Draft,
  change: Extract<LakeChange, { kind: Kind }>,
  pointer: string,
): string | undefined => APPLY[change.kind as Kind](draft, change, pointer);
