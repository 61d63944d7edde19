// The tables a run is about to read: those named, and those a star means now, claimed for the sync before they are
// written.

import type { SyncWork } from "../../../../kernel/jobs/work.ts";
import { INTEGRATION_LIMITS } from "../../integrations/limits.ts";
import { Problem } from "../../../core/problem.ts";
import { pickCursor } from "./choose-cursors.ts";
import { expandTables, type SourceTable } from "./expand.ts";
import { claimOf } from "./own.ts";
import type { Run } from "../runs/run.ts";
import type { SyncRunDeps } from "../runs/step/run-deps.ts";
import type { Sync } from "../sync.ts";

export type ResolvedTables = Pick<SyncWork, "tables" | "brought" | "leftOut" | "cursorsPicked">;

/**
 * Without a star the configuration has claimed them all; with one, a table that has come since may be another sync's,
 * and is left out.
 */
export async function resolveTables(
  deps: SyncRunDeps,
  run: Run,
  sync: Sync,
  source: SyncWork["source"],
): Promise<ResolvedTables> {
  const { tables: patterns } = sync.config;
  if (!patterns.some(isStar)) return { tables: patterns };
  const found = await deps.openEngine(run.teamId).introspect({ source, deadlineMs: INTEGRATION_LIMITS.introspectMs });
  // The engine reports named tables that are gone on the run. Tables that a star brings must all fit.
  const { tables, flaws, leftOut: unfit } = expandTables(patterns, found);
  const clash = flaws.find(({ pointer }) => pointer === "/tables") ?? (found.truncated ? flaws[0] : undefined);
  if (clash) throw new Problem("validation_failed", clash.message);

  const lake = deps.openLake(run.lakeId);
  const taken = await lake.claimTables(...claimOf(sync, tables));
  const ownerOf = (name: string) => taken.find((table) => table.name === name);
  const isNamed = (path: string): boolean => patterns.includes(path);
  if (taken.length > 0)
    await lake.claimTables(
      ...claimOf(
        sync,
        tables.filter(({ name }) => !ownerOf(name)),
      ),
    );
  const left = tables.filter(({ name, path }) => isNamed(path) || !ownerOf(name));
  const others = tables.flatMap(({ name, path }) => {
    const other = ownerOf(name);
    return other && !isNamed(path)
      ? [
          {
            path,
            reason:
              `The lake's table ${other.schema}.${name} belongs to ${other.owner.name}: ${path} is left ` +
              "out. Sync it into another schema.",
          },
        ]
      : [];
  });
  // A star without tables goes along as it is: the engine reports what it brought once.
  const isOpen = (pattern: string): boolean =>
    isStar(pattern)
      ? !tables.some(({ schema }) => `${schema}.*` === pattern)
      : !tables.some(({ path }) => path === pattern);
  const brought = left.map(({ path }) => path).filter((path) => !isNamed(path));
  return {
    tables: [...left.map(({ path }) => path), ...patterns.filter(isOpen)],
    brought,
    leftOut: [...unfit, ...others],
    cursorsPicked: sync.config.loadMethod === "append" ? pickCursors(left) : {},
  };
}

const pickCursors = (tables: SourceTable[]): Record<string, string> =>
  Object.fromEntries(
    tables.flatMap((table) => {
      const column = pickCursor(table);
      return column === undefined ? [] : [[table.path, column]];
    }),
  );

const isStar = (pattern: string): boolean => pattern.endsWith(".*");
