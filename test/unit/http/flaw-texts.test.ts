import { expect, it } from "vitest";
import { call } from "../../support/unit/http.ts";
import { newTeam } from "../../support/unit/team.ts";

it("says in plain words what is missing, and that a number is wanted as text", async () => {
  const { admin } = await newTeam();
  const flawsOf = async (path: string, body: object) =>
    (await call("POST", path, { key: admin.key, body })).body.error.flaws as { pointer: string; message: string }[];
  const credentials = { host: "db.example.com", port: 5432, database: "d", username: "u", password: "p" };
  expect(await flawsOf("/v1/api/integrations", { type: "postgres", credentials })).toEqual([
    { pointer: "/credentials/port", message: 'Send it as text, in quotes: "5432".' },
  ]);
  expect(await flawsOf("/v4/data-access/roles", {})).toEqual([
    { pointer: "/name", message: "It is missing: send string." },
  ]);
  const lake = crypto.randomUUID();
  const sync = { dest_schema: "shop", tables: ["public.*"], cron: "0 * * * *", timezone: "UTC" };
  expect(await flawsOf(`/v1/api/integrations/${lake}/sync`, sync)).toEqual([
    { pointer: "/schedule", message: expect.stringMatching(/^It is missing: send one of hourly, /) },
  ]);
});
