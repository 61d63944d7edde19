import { describe, expect, it } from "vitest";
import {
  changedFiles,
  differing,
  flawOfPath,
  readChanges,
  withDrafted,
} from "../../../src/console/screens/models/changes.ts";

const saved = [
  { path: "b.yml", content: "b" },
  { path: "a.yml", content: "a" },
];

describe("the changes of a model", () => {
  it("are what differs from what is saved, and nothing that somebody else saved the same", () => {
    const changes = { "a.yml": "a", "b.yml": null, "c.yml": "c", "d.yml": null };
    expect(differing(saved, changes)).toEqual({ "b.yml": null, "c.yml": "c" });
  });

  it("leave untouched files as the newest version has them", () => {
    const newest = [...saved, { path: "z.yml", content: "theirs" }];
    expect(changedFiles(newest, { "b.yml": "mine", "a.yml": null })).toEqual([
      { path: "b.yml", content: "mine" },
      { path: "z.yml", content: "theirs" },
    ]);
  });

  it("are read again from what a browser kept, whatever that is", () => {
    expect(readChanges(JSON.stringify({ "a.yml": "x", "b.yml": null, c: 7 }))).toEqual({ "a.yml": "x", "b.yml": null });
    for (const text of [undefined, "", "[", "7", "null"]) expect(readChanges(text)).toEqual({});
  });
});

describe("a drafted model", () => {
  it("adds files, and writes over none that is there", () => {
    const drafted = [
      { path: "a.yml", content: "drafted" },
      { path: "c.yml", content: "drafted" },
    ];
    expect(withDrafted(saved, { "b.yml": "mine" }, drafted)).toEqual({
      changes: { "b.yml": "mine", "c.yml": "drafted" },
      added: ["c.yml"],
      left: ["a.yml"],
    });
    expect(withDrafted(saved, { "a.yml": null }, drafted).added).toEqual(["a.yml", "c.yml"]);
  });
});

it.each([
  ["cubes/orders.yml", undefined],
  ["cubes/orders.js", /ends in .yml/],
  ["../orders.yml", /ends in .yml/],
  ["a.yml", /already/],
])("a new file may be called %s or not", (path, flaw) => {
  if (flaw === undefined) expect(flawOfPath(path, saved)).toBeUndefined();
  else expect(flawOfPath(path, saved)).toMatch(flaw);
});
