// A table is loaded as the Iceberg catalog loads it, over the real catalog object. Its objects are counted and dropped.

import { loadTable } from "../../../../src/features/iceberg/load-table.ts";
import type { Lake } from "../../../../src/lake/lake.ts";
import type { Bucket } from "../../../../src/platform/bucket/bucket.ts";
import type { IcebergLoad, IcebergLoaded } from "../call.ts";

const TEAM_ID = "team";
const LAKE_ID = "lake";

export async function loadIceberg(lake: Lake, { times, etag, ...table }: IcebergLoad): Promise<IcebergLoaded> {
  const stored = { objects: 0, bytes: 0 };
  const bucket = {
    name: "bench",
    write: async (_: string, content: string | Uint8Array) => {
      stored.objects++;
      stored.bytes += typeof content === "string" ? new TextEncoder().encode(content).length : content.length;
    },
  };
  // A load asks nothing else of the bucket and of its caller's scope.
  const deps = { bucket: bucket as unknown as Bucket, scope: { teamId: TEAM_ID } } as Parameters<typeof loadTable>[0];
  let loaded = { etag: "", isWhole: false, documentBytes: 0 };
  for (let load = 0; load < times; load++) {
    const { snapshotId } = await lake.currentSnapshot();
    const warehouse = { lake, lakeId: LAKE_ID, profile: "full" as const, reader: "everything" as const, snapshotId };
    const answer = await loadTable(deps, warehouse, { ...table, known: (tag) => tag === etag });
    const document = "metadata" in answer ? JSON.stringify(answer.metadata) : "";
    loaded = { etag: answer.etag, isWhole: "metadata" in answer, documentBytes: document.length };
  }
  return { ...loaded, ...stored };
}
