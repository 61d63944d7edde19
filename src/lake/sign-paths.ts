// URLs for files of a lake, named by their paths below its root.

import type { Bucket } from "../platform/bucket/bucket.ts";
import { lakePrefix } from "./format/names.ts";

export type SignedPath = { path: string; url: string };

/** In the order of `paths`. A caller bounds their number: each costs a signature. */
export function signPaths(
  bucket: Pick<Bucket, "signGet" | "signPut">,
  lake: { teamId: string; lakeId: string },
  method: "GET" | "PUT",
  paths: readonly string[],
): SignedPath[] {
  const prefix = lakePrefix(lake.teamId, lake.lakeId);
  const sign = method === "GET" ? bucket.signGet : bucket.signPut;
  return paths.map((path) => ({ path, url: sign(prefix + path) }));
}
