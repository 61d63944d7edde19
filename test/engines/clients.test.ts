// Real clients of other engines read the lake by the Iceberg catalog.

import { afterAll, beforeAll, describe, inject } from "vitest";
import { CLIENTS } from "../support/node/engines/clients.ts";
import type { Engine } from "../support/node/engines/engine-client.ts";
import { describeCredentials } from "../support/node/engines/suites/credentials.ts";
import { describeRestricted } from "../support/node/engines/suites/restricted.ts";
import { describeTypesAndChanges } from "../support/node/engines/suites/types-and-changes.ts";
import { makeWorld, type World } from "../support/node/engines/world.ts";

let world: World;
beforeAll(async () => void (world = await makeWorld()));
afterAll(() => world?.close());

describe.each(CLIENTS)("$name", (kind) => {
  let engine: Engine;
  beforeAll(async () => void (engine = await kind.start(inject("clients"), world.catalogs, world.lake.storage)));
  afterAll(() => engine?.stop());

  describeTypesAndChanges(
    kind,
    () => world,
    () => engine,
  );
  describeRestricted(
    kind,
    () => world,
    () => engine,
  );
  describeCredentials(
    kind,
    () => world,
    () => engine,
  );
});
