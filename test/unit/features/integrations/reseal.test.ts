import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { resealCredentials } from "../../../../src/features/integrations/credentials/reseal.ts";
import { sealedCredentials } from "../../../../src/features/integrations/store.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { unseal } from "../../../../src/platform/crypto/vault.ts";
import { addPostgres, postgresCredentials } from "../../../support/unit/databases.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";
import { openClients } from "../../../../src/clients/clients.ts";

const newKey = btoa(String.fromCharCode(...new Uint8Array(32).fill(7)));
const rotated = { ...env, VAULT_KEYS: `next:${newKey},${env.VAULT_KEYS}` };
const onlyNew = { ...env, VAULT_KEYS: `next:${newKey}` };
const row = (id: string) =>
  env.DB.prepare(
    "SELECT vault_key_id AS keyId, sealed_credentials AS sealed, updated_at AS updatedAt FROM integrations WHERE id = ?",
  )
    .bind(id)
    .first<{ keyId: string; sealed: string; updatedAt: string }>();

describe("resealCredentials", () => {
  let team: TestTeam;
  beforeAll(async () => {
    team = await newTeam();
  });

  it("has nothing to do while the vault has one key", async () => {
    await addPostgres(team);
    expect(await resealCredentials(openClients(env))).toEqual({ resealed: 0 });
  });

  it("moves credentials to the first key, once, and the old key may go", async () => {
    const id = await addPostgres(team);
    const before = await row(id);
    expect((await resealCredentials(openClients(rotated))).resealed).toBeGreaterThanOrEqual(1);
    const after = await row(id);
    expect(after).toMatchObject({ keyId: "next", updatedAt: before?.updatedAt });
    expect(JSON.parse(await unseal(onlyNew, { teamId: team.id, integrationId: id }, after!.sealed))).toEqual({
      ...postgresCredentials(),
      sslmode: "require",
    });
    expect(await resealCredentials(openClients(rotated))).toEqual({ resealed: 0 });
  });

  it("writes only over what it has read: a change in between wins", async () => {
    const id = await addPostgres(team);
    const read = { id, teamId: team.id, sealed: (await row(id))!.sealed };
    await env.DB.prepare("UPDATE integrations SET sealed_credentials = 'changed' WHERE id = ?").bind(id).run();
    expect(await sealedCredentials(openDb(env.DB)).save(read, { text: "stale", keyId: "next" })).toEqual([]);
    expect((await row(id))?.sealed).toBe("changed");
  });

  it("names a row that nothing opens, and re-seals the others", async () => {
    const [broken, sound] = [await addPostgres(team), await addPostgres(team)];
    await env.DB.prepare("UPDATE integrations SET sealed_credentials = '1.test.x.y' WHERE id = ?").bind(broken).run();
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await resealCredentials(openClients(rotated));
    expect(log.mock.calls.flat().join()).toContain(broken);
    log.mockRestore();
    expect((await row(sound))?.keyId).toBe("next");
    expect((await row(broken))?.keyId).toBe("test");
  });
});
