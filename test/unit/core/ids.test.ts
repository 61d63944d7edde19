import { describe, expect, it } from "vitest";
import { isUuid, newId } from "../../../src/core/ids.ts";

describe("newId", () => {
  it("makes version 7 UUIDs that carry the instant", () => {
    const id = newId(new Date("2026-01-31T10:00:00.123Z"));
    expect(isUuid(id)).toBe(true);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(Date.parse("2026-01-31T10:00:00.123Z"));
  });

  it("sorts ids of one millisecond in the order they were made, none twice", () => {
    const now = new Date();
    const ids = Array.from({ length: 4_000 }, () => newId(now));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
