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

it("names no type by what was done to it alone", () => {
  const named = (file: string) => codeOf(file).match(/\btype (?:Asked|Found|Given|Told)\b/g) ?? [];
  expect(
    findingsIn(
      CODE_FILES.filter((file) => file !== THIS_FILE),
      named,
    ),
  ).toEqual([]);
});
