// A credential goes in, is used, and is seen nowhere again: in no answer, no log, no printed line, no file.

import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { expect, inject, it } from "vitest";
import { call, connect, query } from "./client.ts";

async function filesWith(canary: string, folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hits = await Promise.all(
    files.map(async (file) => ((await readFile(file).catch(() => Buffer.alloc(0))).includes(canary) ? [file] : [])),
  );
  return hits.flat();
}

it("keeps a database password out of every answer and every file of the installation", async () => {
  const canary = `canary-${randomUUID()}`;
  const server = inject("postgres");
  const admin = new pg.Client({ ...server, user: server.username, database: "postgres" });
  await admin.connect();
  await admin.query(`CREATE ROLE canary LOGIN PASSWORD '${canary}'`);
  await admin.end();

  const { id } = await connect("postgres", { ...server, username: "canary", password: canary }, "postgres");
  const wrong = {
    host: server.host,
    port: String(server.port),
    database: "postgres",
    username: "canary",
    password: `${canary}-wrong`,
  };
  const answers = [
    await call("GET", "/v1/api/integrations"),
    await call("GET", `/v1/api/integrations/${id}`),
    await call("POST", `/v1/api/integrations/${id}/test`),
    await call("PATCH", `/v1/api/integrations/${id}`, { body: { credentials: { password: `${canary}-wrong` } } }),
    await call("POST", "/v1/api/integrations", { body: { type: "postgres", name: "wrong", credentials: wrong } }),
    await call("POST", "/v1/api/integrations", {
      body: { type: "postgres", name: "too much", credentials: { ...wrong, extra: canary } },
    }),
    await query("SELECT current_user AS who", { integration_id: id }),
    await query("SELECT * FROM no_such_table", { integration_id: id }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400, 400, 422, 200, 400]);
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(canary);
  expect(await filesWith(canary, inject("platform").state)).toEqual([]);
});

it("keeps callers' keys out of the logs", async () => {
  const { key, state } = inject("platform");
  await call("GET", "/v4/me");
  await call("GET", `/v4/no-such-route`);
  expect(await filesWith(key.slice(-32), join(state, "logs"))).toEqual([]);
});
