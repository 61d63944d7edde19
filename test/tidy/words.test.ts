// Words that stood for a term of the field, and were replaced by it: no file and no identifier takes one up again.
// The glossary in docs/internals has the terms.

import { expect, it } from "vitest";
import { CODE_FILES, codeOf, findingsIn } from "../support/node/tidy/source-tree.ts";

/** Each with what is said instead. */
const RETIRED: Record<string, string> = {
  told: "report, result, outcome",
  tell: "report, log, rewriteError",
  nudge: "wakeUp",
  nudges: "wakeUps",
  matter: "deps",
  door: "client, entry point",
  doors: "clients, entry points",
  turnstile: "semaphore",
  misfit: "typeMismatch",
  furnish: "setUp",
  sight: "observation",
  heeds: "headers it reads",
  scout: "planProbe",
  manners: "middleware",
  farewell: "shutdown",
  leash: "parentWatchdog",
  keeper: "subreaper",
  walls: "restrictions",
  lend: "reserve",
  errand: "request",
  vocabulary: "params",
};

/** Plain English within messages to users, in templates that the rule can't tell from code. */
const IN_MESSAGES = ["src/features/syncs/tables/choose-cursors.ts: tell", "src/features/syncs/tables/expand.ts: told"];

/** It has to spell them. */
const THIS_FILE = "test/tidy/words.test.ts";

const LITERAL = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
const wordsOf = (name: string) => name.split(/[-_\d]|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
const hasRetired = (name: string) => wordsOf(name).some((word) => Object.hasOwn(RETIRED, word.toLowerCase()));

it("names no file by a word that was given up", () => {
  expect(CODE_FILES.filter((file) => file.split(/[/.]/).some(hasRetired))).toEqual([]);
});

it("gives no identifier a word that was given up", () => {
  const identifiers = (file: string) =>
    new Set(
      codeOf(file)
        .replaceAll(LITERAL, "")
        .match(/[A-Za-z_$][\w$]*/g),
    );
  const named = (file: string) => [...identifiers(file)].filter(hasRetired);
  const found = findingsIn(
    CODE_FILES.filter((file) => file !== THIS_FILE),
    named,
  );
  expect(found).toEqual(IN_MESSAGES);
});

const TYPE = /\b(?:type|interface|class) ([A-Z]\w*)(?=\s*[<={]| extends| implements)/g;
const typesOf = (file: string) => [...codeOf(file).replaceAll(LITERAL, "").matchAll(TYPE)].map(([, name]) => name!);

/** What was done to a thing says nothing of what it is. */
const DONE = ["asked", "found", "given", "told"];
const isNamedByDeed = (name: string) => {
  const words = wordsOf(name).map((word) => word.toLowerCase());
  return DONE.includes(words.at(0)!) || DONE.includes(words.at(-1)!);
};

it("names no type by what was done to it", () => {
  expect(findingsIn(CODE_FILES, (file) => typesOf(file).filter(isNamedByDeed))).toEqual([]);
});

/** Names that mean one thing by themselves, each with the files that declare it. */
const ONE_MEANING: Record<string, string[]> = {
  // Who is asking; the names that a part of a statement sees are a NameScope.
  Scope: ["src/core/scope.ts"],
  // A data-access role's.
  Grant: ["clients/cli/src/definitions/roles.ts", "src/features/access/grant.ts"],
  // A kind is named for its thing.
  Kind: [],
  // What is to be done: how a column is read, and what a maintenance does.
  Plan: [
    ...["bigquery", "mysql", "postgres", "redshift", "snowflake", "sqlserver"].map(
      (source) => `containers/engine/sources/${source}/extraction/plan-column.ts`,
    ),
    "src/console/screens/lake/plan.tsx",
  ],
};

it.each(Object.entries(ONE_MEANING))("declares %s where it has its one meaning alone", (name, files) => {
  const production = CODE_FILES.filter((file) => !file.startsWith("test/"));
  expect(production.filter((file) => typesOf(file).includes(name)).sort()).toEqual(files);
});
