// Waits for something to become true, within a bound.

import { expect, vi } from "vitest";

export const until = (condition: () => boolean): Promise<unknown> =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 20_000, interval: 10 });
