// The demo team's lake from outside: its Parquet files, and a grant to read it as the Worker would mint one.

import { AwsClient } from "aws4fetch";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LakeGrant } from "../../../kernel/wire/engine.ts";
import { ask } from "../../start/platform.ts";
import type { Platform } from "../support/platform.ts";
import { ROOT } from "../support/program.ts";

export type LakeFile = { schema: string; table: string; path: string; bytes: number };

const GRANT_MS = 3_600_000;
/** A fresh lake with nothing but the sample has fewer. */
const SNAPSHOTS_MAX = 100;

/**
 * Downloads every file through the S3 endpoint, one by one; `ms` is what that took. Keys end in
 * `<schema>/<table>/<file>`.
 */
export async function fetchLakeFiles(
  { url }: Platform,
  { teamId, lakeId }: LakeGrant,
  folder: string,
): Promise<{ files: LakeFile[]; ms: number }> {
  const s3 = new AwsClient({ accessKeyId: "local", secretAccessKey: "local-only", service: "s3", region: "auto" });
  const bucket = `${url}/cdn-cgi/local/r2/s3/fjord`;
  const listing = await s3.fetch(`${bucket}?list-type=2&prefix=${encodeURIComponent(`${teamId}/lake/${lakeId}/`)}`);
  const keys = [...(await listing.text()).matchAll(/<Key>([^<]+\.parquet)<\/Key>/g)].map(([, key]) => key!);
  if (!keys.length) throw new Error(`The lake has no Parquet files (the listing answered ${listing.status}).`);
  const files: LakeFile[] = [];
  const startedAt = performance.now();
  for (const key of keys) {
    const body = Buffer.from(await (await s3.fetch(`${bucket}/${key}`)).arrayBuffer());
    const [schema = "", table = ""] = key.split("/").slice(-3);
    const path = join(folder, key);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, body);
    files.push({ schema, table, path, bytes: body.length });
  }
  return { files, ms: performance.now() - startedAt };
}

/** Leave to read the demo team's lake at its newest snapshot. */
export async function grantLake({ url, key, state }: Platform): Promise<LakeGrant> {
  const { data: me } = await ask<{ data: { team: { id: string } } }>(`${url}/v4/me`, "GET", key);
  const { lakeId } = JSON.parse(await readFile(join(state, "demo-team.json"), "utf8")) as { lakeId: string };
  const secrets = JSON.parse(await readFile(join(state, "secrets.json"), "utf8")) as { TOKEN_SECRET: string };
  // The Worker's own module, typed for workerd's globals, which this program does not have.
  const { mintToken } = (await import(join(ROOT, "src/platform/crypto/token.ts"))) as {
    mintToken(env: object, token: object): Promise<string>;
  };
  const grantAt = async (snapshotId: number): Promise<LakeGrant> => {
    const lake = { teamId: me.team.id, lakeId, snapshotId };
    return {
      ...lake,
      token: await mintToken(secrets, { use: "lake", ...lake, access: "everything", expiresAt: Date.now() + GRANT_MS }),
    };
  };
  let newest: LakeGrant | undefined;
  for (let snapshotId = 0; snapshotId < SNAPSHOTS_MAX; snapshotId++) {
    const grant = await grantAt(snapshotId);
    const { status } = await fetch(`${url}/internal/lakes/${lakeId}/describe`, {
      method: "POST",
      headers: { authorization: `Bearer ${grant.token}` },
      body: "{}",
    });
    if (status === 200) newest = grant;
    else if (newest) break;
  }
  if (!newest) throw new Error("The demo team's lake has no snapshot.");
  return newest;
}
