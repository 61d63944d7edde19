// What every file keeps to: its name, its size, its folder's size, and what must not stand in it.

import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import {
  CLIENT_FILES,
  CODE_FILES,
  codeOf,
  CONSOLE_FILES,
  CONTAINER_FILES,
  KERNEL_FILES,
  findingsIn,
  importsOf,
  linesOf,
  listFiles,
  textOf,
  WORKER_FILES,
} from "../support/node/tidy/source-tree.ts";

const LINES_MAX = 300;
/** A suite is a list of guarantees: it may be longer than what it guards. */
const SUITE_LINES_MAX = 500;
const COMMENT_COLUMNS_MAX = 120;
const FOLDER_FILES_MAX = 15;
/** Folders with more files, each with the reason. */
const LARGE_FOLDERS = [
  // One file after the other, numbered.
  "migrations",
  // One page for each, numbered in a list of its own.
  "docs/internals/decisions",
  // What tools look for at the top of a repository.
  ".",
];
/** Files without such a line yet. A list to empty, never to lengthen. */
const KNOWN_OPENINGS: string[] = [];
/** Folders whose files open with a whole sentence. */
const OPENED_BY_SENTENCES = /^(kernel|containers|clients|src|scripts|test\/support)\//;
/** So many files are looked at, at the least. */
const FILES_MIN = 700;
/** Words that begin a part of a sentence, where the subject of a whole one belongs. */
const FRAGMENT =
  /^\/\/ (What|Whether|How|Where|Who|Whom|Whose|Which|When|Why|Those|That|Such|Of|From|To|For|In|By|The same)\b/;
const VAGUE = /^(types|index|service)$|(^|-)(utils?|helpers?|misc|common|shared|manager)$/;
/** The one file whose name the platform gives: the Worker's entry. */
const NAMED_BY_OTHERS = ["src/index.ts"];

const stem = (file: string) =>
  file
    .split("/")
    .at(-1)!
    .replace(/(\.test|\.config)?\.\w+$/, "");

describe("every file", () => {
  it("fits in one sitting", () => {
    const linesMax = (file: string) => (file.endsWith(".test.ts") ? SUITE_LINES_MAX : LINES_MAX);
    const long = CODE_FILES.filter((file) => linesOf(file).length > linesMax(file));
    expect(long.map((file) => `${file}: ${linesOf(file).length} lines`)).toEqual([]);
  });

  it("has a name that says something, in small letters and dashes", () => {
    const named = CODE_FILES.filter((file) => !NAMED_BY_OTHERS.includes(file));
    expect(named.filter((file) => VAGUE.test(stem(file)) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem(file)))).toEqual([]);
  });

  it("leaves nothing for later and no type unsaid", () => {
    const unfinished = new RegExp(["TO" + "DO", "FIX" + "ME", "@ts-(ignore|nocheck|expect-error)"].join("|"), "g");
    const untyped = /(: |as |<)any\b/g;
    const production = CODE_FILES.filter((file) => !file.startsWith("test/"));
    expect(findingsIn(CODE_FILES, (file) => textOf(file).match(unfinished) ?? [])).toEqual([]);
    expect(findingsIn(production, (file) => codeOf(file).match(untyped) ?? [])).toEqual([]);
  });

  it("names what it imports with its ending", () => {
    const isOurs = (target: string) => /^(kernel|src|containers|clients|test|scripts)\//.test(target);
    const isWhole = (target: string) => /\.(ts|tsx|mjs|js|json|css|html|svg|(yml|txt)\?raw)$/.test(target);
    const halves = (file: string) => importsOf(file).filter((target) => isOurs(target) && !isWhole(target));
    expect(findingsIn(CODE_FILES, halves)).toEqual([]);
  });

  it("keeps its comments within the lines' width, which the formatter sees to in code alone", () => {
    const isWide = (line: string) => line.length > COMMENT_COLUMNS_MAX && /^\s*(\/\/|\* |\/\*\*)/.test(line);
    expect(findingsIn(CODE_FILES, (file) => linesOf(file).filter(isWide))).toEqual([]);
  });

  it("opens with a sentence, and with no question's word", () => {
    const held = CODE_FILES.filter((file) => !file.endsWith(".test.ts") && OPENED_BY_SENTENCES.test(file));
    const isFragment = (file: string) => FRAGMENT.test(textOf(file));
    expect(held.length).toBeGreaterThan(FILES_MIN);
    expect(held.filter(isFragment)).toEqual([]);
  });

  it("opens with a line that says what it is for, or with its imports and the one thing it does", () => {
    const opens = (file: string) => /^(#!.*\n)?(\/\/ \S|import )/.test(textOf(file));
    expect(
      [...KERNEL_FILES, ...WORKER_FILES, ...CONSOLE_FILES, ...CONTAINER_FILES, ...CLIENT_FILES].filter(
        (file) => !opens(file) && !KNOWN_OPENINGS.includes(file),
      ),
    ).toEqual([]);
  });
});

it("keeps every folder small enough to be read at a glance", () => {
  const isCode = (file: string) => !file.endsWith("/README.md");
  const folders = Map.groupBy(listFiles().filter(isCode), (file) => dirname(file));
  const large = [...folders].filter(
    ([folder, files]) => files.length > FOLDER_FILES_MAX && !LARGE_FOLDERS.includes(folder),
  );
  expect(large.map(([folder, files]) => `${folder}: ${files.length} files`)).toEqual([]);
});

it("mentions no machine it was written on", () => {
  const named = new RegExp(
    [
      "/wo" + "rk/",
      "/tmp/in" + "st",
      "\\.\\./sha" + "red",
      "\\.libr" + "ary",
      "/ro" + "ot/",
      "/ho" + "me/(?!(user|fjord|node|engine)\\b)\\w",
    ].join("|"),
  );
  const texts = listFiles("").filter(
    (file) =>
      /\.(ts|mjs|js|json|toml|md|sql|html|css|yml|yaml|txt)$|Dockerfile|\.gitignore$/.test(file) &&
      file !== "package-lock.json",
  );
  expect(texts.filter((file) => named.test(textOf(file)))).toEqual([]);
});
