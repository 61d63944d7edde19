// The demo team's lake from outside: its Parquet files, and a grant to read it as the Worker would mint one.

import { AwsClient } from "aws4fetch";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LakeDescription, TablePlan } from "../../../kernel/lake/lake.ts";
import type { LakeGrant } from "../../../kernel/wire/engine.ts";
import { ask } from "../../start/platform.ts";
import type { Platform } from "../support/platform.ts";
import { ROOT } from "../support/program.ts";

export type LakeFile = { schema: string; table: string; path: string; bytes: number };

const GRANT_MS = 3_600_000;
/** A fresh lake with nothing but the sample has fewer. */
const SNAPSHOTS_MAX = 100;

/** Downloads the files of every table through the S3 endpoint, one by one; `ms` is what that took. */
export async function fetchLakeFiles(
  { url }: Platform,
  grant: LakeGrant,
  folder: string,
): Promise<{ files: LakeFile[]; ms: number }> {
  const { teamId, lakeId } = grant;
  const s3 = new AwsClient({ accessKeyId: "local", secretAccessKey: "local-only", service: "s3", region: "auto" });
  const { tables } = await askCatalog<LakeDescription>(url, grant, "describe", {});
  const tableIds = tables.map(({ tableId }) => tableId);
  const planned = await askCatalog<{ tables: TablePlan[] }>(url, grant, "plan", { tableIds });
  const plans = new Map(planned.tables.map((plan) => [plan.tableId, plan.files]));
  const files: LakeFile[] = [];
  const startedAt = performance.now();
  for (const { schema, name: table, tableId } of tables)
    for (const { path: key } of plans.get(tableId) ?? []) {
      const answer = await s3.fetch(`${url}/cdn-cgi/local/r2/s3/fjord/${teamId}/lake/${lakeId}/${key}`);
      if (!answer.ok) throw new Error(`The bucket answered ${answer.status} for ${key}.`);
      const body = Buffer.from(await answer.arrayBuffer());
      const path = join(folder, key);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, body);
      files.push({ schema, table, path, bytes: body.length });
    }
  return { files, ms: performance.now() - startedAt };
}

async function askCatalog<Answer>(url: string, grant: LakeGrant, verb: string, body: object) {
  const answer = await postCatalog(url, grant, verb, body);
  if (!answer.ok) throw new Error(`The catalog answered ${answer.status} to ${verb}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

const postCatalog = (url: string, { lakeId, token }: LakeGrant, verb: string, body: object) =>
  fetch(`${url}/internal/lakes/${lakeId}/${verb}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });

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
    const { status } = await postCatalog(url, grant, "describe", {});
    if (status === 200) newest = grant;
    else if (newest) break;
  }
  if (!newest) throw new Error("The demo team's lake has no snapshot.");
  return newest;
}
