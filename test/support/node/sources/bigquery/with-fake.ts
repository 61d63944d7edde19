// The fake of a test file: started before its tests, put where the engine looks for an emulator, stopped behind them.

import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { FakeBigquery } from "./fake-bigquery.ts";

/** Each test finds it whole, whatever the one before spoilt. */
export function withFakeBigquery(setUp: (fake: FakeBigquery) => Promise<void>): () => FakeBigquery {
  let fake: FakeBigquery;
  beforeAll(async () => {
    fake = await FakeBigquery.start();
    vi.stubEnv("ENGINE_BIGQUERY_EMULATOR", fake.url);
    await setUp(fake);
  });
  afterEach(() => fake.heal());
  afterAll(async () => {
    vi.unstubAllEnvs();
    await fake?.close();
  });
  return () => fake;
}
