// Comments and pages are whole sentences, each with its subject first: a term of the glossary, and no part of another.

import { expect, it } from "vitest";
import { CODE_FILES, findingsIn, listFiles, textOf } from "../support/node/tidy/source-tree.ts";

/** Words that begin a part of a sentence, or name no subject. */
const SUBJECTLESS = "(?:Of|The same|Those)\\b";

const STYLED_OR_PYTHON = ["src", "kernel", "containers", "clients", "scripts", "test"]
  .flatMap((folder) => listFiles(folder))
  .filter((file) => /\.(py|css)$/.test(file));
const COMMENTED = [...CODE_FILES, ...STYLED_OR_PYTHON];
/** So many comments are looked at, at the least. */
const COMMENTS_MIN = 10_000;

/** Lines that are comments, one below the other; else a comment beside code. */
const COMMENT = /(?:^[ \t]*(?:\/\/|\/\*|\*|#|""").*\n?)+|(?<=[\s{])(?:\/\/|\/\*\*?|#) .*$/gm;
const MARK = /^[ \t]*(?:\/\/|\/\*\*?|\*\/?|#|""")[ \t]*/gm;
const commentsOf = (file: string): string[] =>
  (textOf(file).match(COMMENT) ?? []).map((comment) => comment.replaceAll(MARK, "").replaceAll(/\s+/g, " ").trim());
const SENTENCE = new RegExp(`(?:^|[.?!] )${SUBJECTLESS}[^.]*`, "g");

const FENCED = /^```[\s\S]*?^```$/gm;
const prose = (document: string): string => textOf(document).replaceAll(FENCED, "");
/** The beginning of a paragraph, heading, list item, quote or table's cell. */
const BEGINNING = new RegExp(`(?:(?<=\\n\\n)|^(?:#+|[ \\t]*(?:[-*>]|\\d+\\.)) |\\| )\\**${SUBJECTLESS}.*`, "gm");

it("begins each sentence of a comment with its subject", () => {
  const sentencesOf = (file: string) => commentsOf(file).flatMap((comment) => comment.match(SENTENCE) ?? []);
  expect(COMMENTED.reduce((sum, file) => sum + commentsOf(file).length, 0)).toBeGreaterThan(COMMENTS_MIN);
  expect(findingsIn(COMMENTED, sentencesOf)).toEqual([]);
});

it("begins each part of a page with its subject", () =>
  expect(findingsIn(listFiles("", ".md"), (document) => prose(document).match(BEGINNING) ?? [])).toEqual([]));
