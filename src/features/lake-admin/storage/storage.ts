// The noun: the bytes that a lake's catalog tracks beside those that its objects have, and what explains the
// difference. Pure.

import { z } from "@hono/zod-openapi";
import { orNull } from "../../../http/answer.ts";
import type { ObjectTally } from "../../../platform/db/schema/schema.ts";
import type { LakeFigures } from "../../../../kernel/lake/figures.ts";

const count = z.number().int();
const instant = z.iso.datetime();
const Objects = z.object({ objects: count, bytes: count }).openapi("LakeObjects");

export const LakeStorage = z
  .object({
    integrationId: z.uuid(),
    tracked: z
      .object({
        bytes: count,
        current: count.openapi({ description: "Bytes of the files that the newest snapshot reads." }),
        keptForSnapshots: count.openapi({ description: "Bytes of those that only older snapshots read." }),
        measuredAt: instant,
      })
      .openapi({ description: "What the catalog says, asked now." }),
    actual: orNull(
      z
        .object({
          bytes: count,
          objects: count,
          measuredAt: instant,
          source: z
            .enum(["listing", "collection"])
            .openapi({
              description:
                "`listing`: all objects were listed for this answer. `collection`: there are more than one request lists, " +
                "so this is what the last daily collection saw.",
            }),
        })
        .openapi("ActualLakeStorage"),
    ).openapi({
      description:
        "What the objects have. Null where there are more than one request lists, and no collection has seen all of " +
        "them yet: it comes round every day.",
    }),
    difference: orNull(
      z
        .object({
          bytes: count.openapi({ description: "Actual less tracked; the parts below add up to it." }),
          scheduled: Objects,
          tooYoung: Objects,
          orphaned: Objects,
          changed: count.openapi({
            description:
              "Bytes of tracked files as they were found, less what the catalog says of them now: commits between the " +
              "two, or, where it stays below zero, objects that are missing.",
          }),
        })
        .openapi("LakeStorageDifference"),
    ).openapi({
      description:
        "`scheduled`: read by no snapshot, and deleted once their grace is over. `tooYoung`: named by nothing, and not " +
        "to be judged yet, for a job may commit them still. `orphaned`: named by nothing, and deleted by the next " +
        "collection.",
    }),
  })
  .openapi("LakeStorage");
export type LakeStorage = z.infer<typeof LakeStorage>;

export type SeenStorage = { tally: ObjectTally; at: string; source: "listing" | "collection" };

export function storageOf(
  integrationId: string,
  { bytes: tracked }: Pick<LakeFigures, "bytes">,
  seen: SeenStorage | null,
  now: Date,
): LakeStorage {
  const { current, keptForSnapshots } = tracked;
  const bytes = current + keptForSnapshots;
  const shown = { integrationId, tracked: { bytes, current, keptForSnapshots, measuredAt: now.toISOString() } };
  if (!seen) return { ...shown, actual: null, difference: null };
  const { tally, at: measuredAt, source } = seen;
  const parts = Object.values(tally);
  const actual = sumOf(parts, "bytes");
  const found = tally.current.bytes + tally.kept.bytes;
  return {
    ...shown,
    actual: { bytes: actual, objects: sumOf(parts, "objects"), measuredAt, source },
    difference: {
      bytes: actual - bytes,
      scheduled: tally.scheduled,
      tooYoung: tally.young,
      orphaned: tally.orphaned,
      changed: found - bytes,
    },
  };
}

type Count = ObjectTally["current"];
const sumOf = (counts: Count[], of: keyof Count): number => counts.reduce((sum, each) => sum + each[of], 0);
