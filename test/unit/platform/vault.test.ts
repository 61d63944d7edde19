import { describe, expect, it } from "vitest";
import { retiredKeyIds, seal, unseal } from "../../../src/platform/crypto/vault.ts";

const key = (byte: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)));
const vault = (keys: string) => ({ VAULT_KEYS: keys });
const one = vault(`one:${key(1)}`);
const OWNER = { teamId: "team-a", integrationId: "integration-a" };

describe("the vault", () => {
  it("opens what it sealed, for the row it was sealed for", async () => {
    for (const plain of ["s3cret ü", "\uFEFFs3cret", ""]) {
      const { text, keyId } = await seal(one, OWNER, plain);
      expect(keyId).toBe("one");
      expect(await unseal(one, OWNER, text)).toBe(plain);
    }
  });

  it("never seals to the same text twice, and shows nothing of the plain one", async () => {
    const [first, second] = [await seal(one, OWNER, "s3cret"), await seal(one, OWNER, "s3cret")];
    expect(first.text).not.toBe(second.text);
    expect(first.text).toMatch(/^1\.one\.[\w-]{16}\.[\w-]+$/);
    expect(first.text).not.toContain("s3cret");
  });

  it.each([
    ["another team's row", { ...OWNER, teamId: "team-b" }],
    ["another integration's row", { ...OWNER, integrationId: "integration-b" }],
    ["a row whose ids only join to the same text", { teamId: "team-aintegration", integrationId: "-a" }],
  ])("refuses a text moved to %s", async (_, other) => {
    const { text } = await seal(one, OWNER, "s3cret");
    await expect(unseal(one, other, text)).rejects.toThrow("not the one that was stored");
  });

  it("refuses a text altered in any part", async () => {
    const { text } = await seal(one, OWNER, "s3cret");
    const parts = text.split(".");
    for (const index of [2, 3]) {
      const part = parts[index]!;
      const altered = parts.with(index, (part[0] === "A" ? "B" : "A") + part.slice(1)).join(".");
      await expect(unseal(one, OWNER, altered)).rejects.toThrow("not the one that was stored");
    }
    for (const broken of ["", text.replace(/^1/, "2"), text.replace("one", "two")])
      await expect(unseal(one, OWNER, broken)).rejects.toThrow("no vault key");
    for (const broken of ["1.one", "1.one.!.!"])
      await expect(unseal(one, OWNER, broken)).rejects.toThrow("not the one that was stored");
  });

  it("refuses another key under the same id", async () => {
    const { text } = await seal(one, OWNER, "s3cret");
    await expect(unseal(vault(`one:${key(2)}`), OWNER, text)).rejects.toThrow("not the one that was stored");
  });

  it("seals under the first key and opens under all", async () => {
    const { text } = await seal(one, OWNER, "s3cret");
    const rotated = vault(`two:${key(2)}, one:${key(1)}`);
    expect(await unseal(rotated, OWNER, text)).toBe("s3cret");
    expect((await seal(rotated, OWNER, "s3cret")).keyId).toBe("two");
    expect(retiredKeyIds(rotated)).toEqual(["one"]);
    await expect(unseal(vault(`two:${key(2)}`), OWNER, text)).rejects.toThrow("no vault key");
  });

  it.each(["", "one", `one:${btoa("short")}`, `:${key(1)}`, "one:!!!"])(
    "names the setting that is wrong and not its value: %j",
    async (keys) => {
      const failure = await seal(vault(keys), OWNER, "x").catch(String);
      expect(failure).toContain("VAULT_KEYS");
      if (keys !== "") expect(failure).not.toContain(keys);
    },
  );
});
