// A client whose storage credential has ended goes on, or says so, as docs/open-lake.md has it for each of them.

import { expect, it } from "vitest";
import type { ClientKind } from "../clients.ts";
import type { Engine } from "../engine-client.ts";
import { loadTable, statusOf } from "../storage.ts";
import type { World } from "../world.ts";

export function describeCredentials(kind: ClientKind, world: () => World, engine: () => Engine): void {
  it(`${kind.beyondExpiry === "goes on" ? "goes on" : "fails and is mended by a refresh"} when its credential has ended`, async () => {
    const { small, short, lake } = world();
    const client = engine().of("short");
    await client.hold(small);
    const { config, "metadata-location": object } = await loadTable(lake.id, small, { baseUrl: short.url });
    const made = short.made();
    // The client's credential is older than this one.
    await expect.poll(() => statusOf(config, "GET", object)).toBe(403);
    if (kind.beyondExpiry === "fails") {
      await expect(client.readHeld(small)).rejects.toThrow(/ACCESS_DENIED|403|ExpiredToken|expired/i);
      expect(short.made()).toBe(made);
      await engine().ask("refresh", "short");
    }
    const { rows } = await client.readHeld(small);
    expect(rows).toHaveLength(30);
    expect(short.made()).toBeGreaterThan(made);
    if (kind.release) await engine().ask(kind.release, "short");
  });
}
