// A table is loaded as the Iceberg catalog loads it, over the real catalog object. Its objects are counted, and dropped
// where nobody wants them.

import { loadTable } from "../../../../src/features/iceberg/load-table.ts";
import type { Lake } from "../../../../src/lake/lake.ts";
import type { Bucket } from "../../../../src/platform/bucket/bucket.ts";
import { BUCKET, type IcebergLoad, type IcebergLoaded } from "../call.ts";

const TEAM_ID = "team";
const LAKE_ID = "lake";

export async function loadIceberg(
  lake: Lake,
  { times, etag, keepsObjects, ...table }: IcebergLoad,
): Promise<IcebergLoaded> {
  const stored = { objects: 0, bytes: 0 };
  const kept: Record<string, string> = {};
  const bucket = {
    name: BUCKET,
    write: async (path: string, content: string | Uint8Array) => {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      stored.objects++;
      stored.bytes += bytes.length;
      if (keepsObjects) kept[path] = Buffer.from(bytes).toString("base64");
    },
  };
  // A load asks nothing else of the bucket and of its caller's scope.
  const deps = { bucket: bucket as unknown as Bucket, scope: { teamId: TEAM_ID } } as Parameters<typeof loadTable>[0];
  let loaded = { etag: "", isWhole: false, location: "", documentBytes: 0 };
  for (let load = 0; load < times; load++) {
    const { snapshotId } = await lake.currentSnapshot();
    const warehouse = { lake, lakeId: LAKE_ID, profile: "full" as const, reader: "everything" as const, snapshotId };
    const answer = await loadTable(deps, warehouse, { ...table, known: (tag) => tag === etag });
    const isWhole = "metadata" in answer;
    const { location, document } = isWhole
      ? { location: answer.location, document: JSON.stringify(answer.metadata) }
      : { location: "", document: "" };
    loaded = { etag: answer.etag, isWhole, location, documentBytes: document.length };
  }
  return { ...loaded, ...stored, kept };
}
