import { describe, expect, it } from "vitest";
import { formatBytes, formatCount, formatDuration, relativeTime } from "../../../src/console/ui/data/format.ts";

describe("sizes and counts", () => {
  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1_000, "1 KB"],
    [999_499, "999 KB"],
    [999_600, "1 MB"],
    [12_345_678, "12.3 MB"],
    [5e15, "5 PB"],
  ])("%d bytes read %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [0, "0"],
    [9_999, "9,999"],
    [12_345, "12.3k"],
    [1_000_000, "1M"],
  ])("%d reads %s", (count, text) => expect(formatCount(count)).toBe(text));
});

describe("times", () => {
  it.each([
    [0, "0 s"],
    [12, "12 ms"],
    [1_500, "1.5 s"],
    [59_400, "59 s"],
    [61_000, "1 min 1 s"],
    [7_260_000, "2 h 1 min"],
  ])("%d ms last %s", (ms, text) => expect(formatDuration(ms)).toBe(text));

  const now = Date.parse("2026-11-28T12:00:00Z");
  it.each([
    [now - 2_000, "just now"],
    [now - 65_000, "1 min. ago"],
    [now - 3 * 3_600_000, "3 hr. ago"],
    [now + 2 * 86_400_000, "in 2 days"],
    [now - 40 * 86_400_000, "Oct 19, 2026"],
  ])("%d is %s", (at, text) => expect(relativeTime(at, now)).toBe(text));
});
