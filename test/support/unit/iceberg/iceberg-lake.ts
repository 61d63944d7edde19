// A team's lake with a table, as a client of the Iceberg catalog meets it.

import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { LakeChange } from "../../../../kernel/lake/commit.ts";
import type { LakeColumn } from "../../../../kernel/lake/lake.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { lakeAddress, openLake } from "../../../../src/lake/lake.ts";
import { append, column, createTable, newWriter } from "../lake.ts";
import { call, send, type Answer, type Call } from "../http.ts";
import { newTeam, type TestTeam } from "../team.ts";
import { readAvro, type AvroFile } from "./read-avro.ts";

export type IcebergLake = Awaited<ReturnType<typeof newIcebergLake>>;

/** `main.t` with a file of ten rows. */
export async function newIcebergLake(columns: LakeColumn[] = [column(1, "a"), column(2, "b")]) {
  const team: TestTeam = await newTeam();
  const lakeId = (await env.DB.prepare("select id from integrations where team_id = ?")
    .bind(team.id)
    .first<string>("id"))!;
  const lake = { teamId: team.id, lakeId, catalog: openLake(env, lakeId) };
  const writer = await newWriter(lake);
  const root = lakeAddress(env.BUCKET_NAME, team.id, lakeId);
  const commit = async (...changes: LakeChange[]): Promise<number> => {
    const baseSnapshotId = (await lake.catalog.currentSnapshot()).snapshotId;
    return valueOf(await writer.commit(changes, { baseSnapshotId })).snapshotId;
  };
  await commit(createTable("main", "t", columns), append("main", "t", writer.file("main", "t", 10)));
  const path = (rest: string, warehouse = lakeId) => `/iceberg/v1/${encodeURIComponent(warehouse)}/namespaces${rest}`;
  const ask = (rest: string, options: Call & { method?: string; warehouse?: string } = {}): Promise<Answer> =>
    call(options.method ?? "GET", path(rest, options.warehouse), { key: team.admin.key, ...options });
  return {
    ...{ ...lake, team, writer, root, commit, path, ask },
    load: async (table = "t", options: Call & { warehouse?: string } = {}) => {
      const answer = await ask(`/main/tables/${table}`, options);
      expect([answer.status, answer.body?.error]).toEqual([200, undefined]);
      return answer.body;
    },
    /** An object of the bucket, by its whole address. */
    async read(address: string): Promise<AvroFile> {
      const object = await env.BUCKET.get(address.replace(`s3://${env.BUCKET_NAME}/`, ""));
      if (!object) throw new Error(`${address} is not there.`);
      return readAvro(new Uint8Array(await object.arrayBuffer()));
    },
  };
}

/** Without what the document of the API says of it. */
export const sendRaw = send;

/** The manifests of a snapshot, the current one by default, each with its entries. */
// biome-ignore lint/suspicious/noExplicitAny: Iceberg's documents are untyped here
export async function manifestsOf(lake: IcebergLake, metadata: any, snapshotId = metadata["current-snapshot-id"]) {
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const snapshot = metadata.snapshots.find((each: any) => each["snapshot-id"] === snapshotId);
  const list = await lake.read(snapshot["manifest-list"]);
  return Promise.all(
    list.rows.map(async (manifest) => ({ manifest, entries: (await lake.read(manifest.manifest_path)).rows })),
  );
}
