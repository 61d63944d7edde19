// Members see a sync only as far as they see its tables. Tables are judged by their names, in doubt as hidden.

import { EVERY, type AccessRoles } from "../../../kernel/access/access.ts";
import {
  indexAccess,
  isAnythingGranted,
  isGrantedWhole,
  isSchemaGrantedWhole,
  type AccessIndex,
} from "../../../kernel/access/decide-table.ts";
import { foldText } from "../../../kernel/text/fold-name.ts";
import type { AccessDeps } from "../access/known-states.ts";
import { resolveAccess } from "../access/resolve.ts";
import type { Sync, SyncConfig } from "./sync.ts";

type SyncEnds = Pick<Sync, "sourceId" | "lakeId" | "destSchema">;

export type SyncView = {
  /** Whether the caller may know of the sync at all. */
  isThere: boolean;
  /** Whether all is theirs, whatever tables it has or had. */
  isWhole: boolean;
  /** Judges a source table, or all of a schema by `<schema>.*`, with its name in the lake. */
  sees(source: string, dest?: string): boolean;
};

const EVERYTHING: SyncView = { isThere: true, isWhole: true, sees: () => true };

/** Asks once for each integration. */
export function openSyncViews(ctx: AccessDeps): (sync: SyncEnds) => Promise<SyncView> {
  const asked = new Map<string, Promise<AccessIndex[] | undefined>>();
  const accessTo = (id: string): Promise<AccessIndex[] | undefined> => {
    const known = asked.get(id) ?? loadIndexes(ctx, id);
    asked.set(id, known);
    return known;
  };
  return async ({ sourceId, lakeId, destSchema }) => {
    const [source, lake] = await Promise.all([accessTo(sourceId), accessTo(lakeId)]);
    return source && lake ? viewOf(source, lake, destSchema) : EVERYTHING;
  };
}

export const viewSync = (ctx: AccessDeps, sync: SyncEnds): Promise<SyncView> => openSyncViews(ctx)(sync);

/** The sync with those of its tables that show. */
export const configFor = (config: SyncConfig, { sees }: Pick<SyncView, "sees">): SyncConfig => ({
  ...config,
  tables: config.tables.filter((pattern) => sees(pattern)),
  cursors: Object.fromEntries(Object.entries(config.cursors).filter(([source]) => sees(source))),
});

/**
 * Undefined: no roles bind. Names are compared as they are written and in any case: which of the two the source means
 * is not known here, so what counts is what both grant.
 */
async function loadIndexes(ctx: AccessDeps, id: string): Promise<AccessIndex[] | undefined> {
  const access = await resolveAccess(ctx, { id });
  if (access.kind === "all") return undefined;
  const { roles }: { roles: AccessRoles } = await access.loadRoles();
  return [indexAccess(roles, (name) => name), indexAccess(roles, foldText)];
}

function viewOf(source: AccessIndex[], lake: AccessIndex[], destSchema: string): SyncView {
  const isWhole = [...source, ...lake].every((index) => isSchemaGrantedWhole(index, EVERY));
  return {
    isThere: lake.some((index) => isAnythingGranted(index, destSchema)),
    isWhole,
    sees(path, dest) {
      if (isWhole) return true;
      const [schema, name, more] = path.split(".");
      // A name with a point in it may be cut at the wrong one.
      if (schema === undefined || name === undefined || more !== undefined) return false;
      const inLake = dest === undefined ? name : dest.slice(destSchema.length + 1);
      const isAll = name === EVERY;
      const isSeen = (index: AccessIndex, where: string, what: string): boolean =>
        isAll ? isSchemaGrantedWhole(index, where) : isGrantedWhole(index, { schema: where, name: what });
      return (
        source.every((index) => isSeen(index, schema, name)) && lake.every((index) => isSeen(index, destSchema, inLake))
      );
    },
  };
}
