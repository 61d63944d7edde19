// A client whose storage credential has ended goes on, or says so, as docs/open-lake.md has it for each of them.

import { beforeAll, expect, it } from "vitest";
import type { ClientKind } from "../clients.ts";
import type { Engine } from "../engine-client.ts";
import { loadTable, statusOf, type LoadedTable } from "../storage.ts";
import type { World } from "../world.ts";

/** To be called behind the other suites, since the credential ends while their tests run. */
export function describeCredentials(kind: ClientKind, world: () => World, engine: () => Engine): void {
  let made: number;
  /** The client's credential is older than this one. */
  let younger: LoadedTable;
  beforeAll(async () => {
    const { small, short, lake } = world();
    await engine().of("short").hold(small);
    younger = await loadTable(lake.id, small, { baseUrl: short.url });
    made = short.made();
  });

  it(`${kind.beyondExpiry === "goes on" ? "goes on" : "fails and is mended by a refresh"} when its credential has ended`, async () => {
    const { small, short } = world();
    const client = engine().of("short");
    await expect.poll(() => statusOf(younger.config, "GET", younger["metadata-location"])).toBe(403);
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
