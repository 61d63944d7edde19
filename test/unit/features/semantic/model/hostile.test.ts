// The reader is the first of the walls between a model and the compiler: it takes nothing that could be read as code,
// says where it stands, and never takes long.

import { describe, expect, it } from "vitest";
import { readModel } from "../../../../../src/features/semantic/model/read-model.ts";
import { HOSTILE_TEXTS } from "./hostile-texts.ts";

describe("readModel refuses", () => {
  it.each(HOSTILE_TEXTS)("%s", (_, content, words) => {
    const { definitions, flaws } = readModel([{ path: "model.yml", content }]);
    expect(definitions).toBeUndefined();
    expect(flaws!.map(({ message }) => message).join("\n")).toMatch(words);
    expect(flaws!.every(({ message }) => message.length <= 301)).toBe(true);
  });

  it.each([
    ["model.js", /JavaScript/],
    ["model.ts", /JavaScript/],
    ["globals.py", /Python/],
    ["model.yml.jinja", /Jinja/],
    ["model.txt", /\.yml/],
  ])("a file called %s", (path, words) => {
    const { flaws } = readModel([{ path, content: "cubes: []" }]);
    expect(flaws).toEqual([{ file: path, message: expect.stringMatching(words) }]);
  });

  it("has at least eighty of them", () => {
    expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(80);
  });
});
