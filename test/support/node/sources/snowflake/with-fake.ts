// The fake of a test file: started before its tests, put where the engine looks for an emulator, stopped behind them.

import { afterAll, afterEach, beforeAll, vi } from "vitest";
import type { Source } from "../../../../../kernel/wire/source.ts";
import { CREDENTIALS } from "./fake-sessions.ts";
import { FakeSnowflake } from "./fake-snowflake.ts";

/** Credentials that the fake lets in. */
export const SNOWFLAKE: Extract<Source, { type: "snowflake" }> = { type: "snowflake", credentials: CREDENTIALS };

/** Each test finds it whole, whatever the one before spoilt. */
export function withFakeSnowflake(setUp?: (fake: FakeSnowflake) => Promise<void>): () => FakeSnowflake {
  let fake: FakeSnowflake;
  beforeAll(async () => {
    fake = await FakeSnowflake.start();
    vi.stubEnv("ENGINE_SNOWFLAKE_EMULATOR", fake.url);
    vi.stubEnv("HOSTS_ALLOWED", "loopback");
    await setUp?.(fake);
  });
  afterEach(() => fake.heal());
  afterAll(async () => {
    vi.unstubAllEnvs();
    await fake?.close();
  });
  return () => fake;
}
