import { expect, it } from "vitest";
import { LruMap } from "../../../kernel/text/lru-map.ts";

const kept = <Value>(map: LruMap<Value>, ...keys: string[]) => keys.filter((key) => map.get(key) !== undefined);

it("forgets what was used least recently", () => {
  const map = new LruMap<number>(2);
  map.set("a", 1);
  map.set("b", 2);
  expect(map.get("a")).toBe(1);
  map.set("c", 3);
  expect(kept(map, "a", "b", "c")).toEqual(["a", "c"]);
});

it("keeps as much as its values come to, each counted once", () => {
  const map = new LruMap<string>(5, ({ length }) => length);
  map.set("a", "12");
  map.set("b", "123");
  map.set("a", "1");
  map.set("c", "1");
  expect(kept(map, "a", "b", "c")).toEqual(["a", "b", "c"]);
  map.set("d", "12345");
  expect(kept(map, "a", "b", "c", "d")).toEqual(["d"]);
  map.set("e", "123456");
  expect(kept(map, "d", "e")).toEqual(["d"]);
  map.set("d", "123456");
  expect(kept(map, "d")).toEqual([]);
});
