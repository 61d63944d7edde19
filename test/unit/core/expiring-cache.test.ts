import { expect, it } from "vitest";
import { ExpiringCache } from "../../../src/core/expiring-cache.ts";

const at = (ms: number) => new Date(ms);
const keepNow = (cache: ExpiringCache<string>, key: string, until = 100) => cache.reading()(key, `of ${key}`, until);

it("keeps a value until its time", () => {
  const cache = new ExpiringCache<string>(10);
  keepNow(cache, "a");
  expect(cache.get("a", at(99))).toBe("of a");
  expect(cache.get("a", at(100))).toBeUndefined();
  expect(cache.get("b", at(0))).toBeUndefined();
});

it("drops the oldest beyond its bound, and a renewed one is young", () => {
  const cache = new ExpiringCache<string>(2);
  for (const key of ["a", "b", "a", "c"]) keepNow(cache, key);
  expect(["a", "b", "c"].map((key) => cache.get(key, at(0)))).toEqual(["of a", undefined, "of c"]);
});

it("forgets what is meant, by key or value", () => {
  const cache = new ExpiringCache<string>(10);
  for (const key of ["a", "b", "c"]) keepNow(cache, key);
  cache.forget((key, value) => key === "a" || value === "of c");
  expect(["a", "b", "c"].map((key) => cache.get(key, at(0)))).toEqual([undefined, "of b", undefined]);
});

it("keeps nothing that was being read while something was forgotten", () => {
  const cache = new ExpiringCache<string>(10);
  const keep = cache.reading();
  cache.forget(() => false);
  keep("a", "of a", 100);
  expect(cache.get("a", at(0))).toBeUndefined();
  keepNow(cache, "a");
  expect(cache.get("a", at(0))).toBe("of a");
});
