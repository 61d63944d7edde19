// A client with the key of a member whom roles bind finds the tables that are granted whole, and no other; none writes.

import { expect, it } from "vitest";
import type { ClientKind } from "../clients.ts";
import type { Engine } from "../engine-client.ts";
import { DENIED, type World } from "../world.ts";

export function describeRestricted(kind: ClientKind, world: () => World, engine: () => Engine): void {
  it("lists to a restricted member what is granted whole, and reads no other table", async () => {
    const client = engine().of("member");
    expect(await client.tables()).toEqual([["shop", "granted"]]);
    const { rows } = await client.read(["shop", "granted"]);
    expect(rows.map((row) => row.join()).sort()).toEqual([0, 1, 2, 3].map((n) => `${n},secret ${n}`));
    for (const table of DENIED)
      await expect(client.read(["shop", table]), table).rejects.toThrow(/not exist|not found|cannot be found/i);
  });

  it("is refused a write, and says so", async () => {
    await expect(engine().of("lake").write(world().small)).rejects.toThrow(kind.refusedWrite);
    expect((await engine().of("lake").read(world().small)).rows).toHaveLength(30);
  });
}
