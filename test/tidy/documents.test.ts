// The documents name files and sections that are there, and draw pictures that GitHub can render.

import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { READ_ALL } from "../../containers/engine/extract/changes/read-all-reasons.ts";
import { listFiles, ROOT, textOf } from "../support/node/tidy/source-tree.ts";

const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...listFiles("docs", ".md")];
const README_LINES_MAX = 150;

const FENCED = /^```[\s\S]*?^```$/gm;
const LINK = /\]\(([^)\s]+)\)/g;
const PATH =
  /`((?:src|containers|test|scripts|migrations|docs)\/[^`\s]*|[\w.-]+\.(?:toml|json|md)|\.(?:ci|git)[\w/.-]*)`/g;
/** As the code spells names: two words at least in one, or all capitals. */
const NAME = /`((?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:\.\w+)*)(?:\(\))?`/g;
/** Names, and the file that is said to have them: `one`, `two` in `src/file.ts`. */
const NAMES_IN =
  /((?:`[A-Za-z][\w.]*(?:\(\))?`(?:,| and| or)?\s+)+)(?:in|of)\s+`((?:src|containers|test|scripts)\/[^`\s]+\.\w+)`/g;
const MERMAID = /^```mermaid\n([\s\S]*?)^```$/gm;
const DIAGRAMS = /^(flowchart (LR|TB|TD|BT)|sequenceDiagram|stateDiagram-v2)\n/;

/** Every word of the source. */
const words = new Set(
  ["src", "containers", "scripts", "migrations", "test/support", "test/unit"]
    .flatMap((folder) => listFiles(folder))
    .concat("wrangler.toml", "test/tidy/audit.test.ts")
    .flatMap((file) => textOf(file).match(/[A-Za-z]\w+/g) ?? []),
);

const prose = (document: string): string => textOf(document).replaceAll(FENCED, "");

/** As GitHub makes a heading's anchor. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const anchorsOf = (document: string): string[] =>
  [...prose(document).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));

/** What is wrong with a link, or undefined. */
function flawOfLink(document: string, link: string): string | undefined {
  if (/^https?:/.test(link)) return undefined;
  const [path, anchor] = link.split("#") as [string, string?];
  const target = path === "" ? document : normalize(join(dirname(document), path));
  if (!existsSync(join(ROOT, target))) return "leads nowhere";
  return anchor === undefined || anchorsOf(target).includes(anchor) ? undefined : "has no such section";
}

describe.each(documents)("%s", (document) => {
  it("links to what is there", () => {
    const links = [...prose(document).matchAll(LINK)].map(([, link]) => link!);
    expect(links.filter((link) => flawOfLink(document, link) !== undefined)).toEqual([]);
  });

  it("names files that are there", () => {
    const paths = [...prose(document).matchAll(PATH)].map(([, path]) => path!);
    expect(paths.filter((path) => !/[<*]/.test(path) && !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("names types, functions and constants that are there", () => {
    const names = [...prose(document).matchAll(NAME)].flatMap(([, name]) => name!.split("."));
    expect(names.filter((name) => !words.has(name))).toEqual([]);
  });

  it("names what a file has in that file", () => {
    const missing = [...prose(document).matchAll(NAMES_IN)].flatMap(([, names, file]) => {
      const text = textOf(file!);
      return names!
        .match(/(?<=[`.])\w+/g)!
        .filter((name) => !new RegExp(`\\b${name}\\b`).test(text))
        .map((name) => `${name} in ${file}`);
    });
    expect(missing).toEqual([]);
  });

  it("draws only pictures of a kind that is known to render, with quoted labels", () => {
    for (const [, picture] of textOf(document).matchAll(MERMAID)) {
      expect(picture).toMatch(DIAGRAMS);
      // An unquoted label of a flowchart breaks at the first bracket, a message of a sequence ends at a semicolon.
      const broken = picture!.startsWith("flowchart") ? /\b\w+[[({]+[^"[({\n]/g : /[;#]/g;
      expect(picture!.match(broken) ?? []).toEqual([]);
    }
  });
});

it("keeps the README to one sitting", () =>
  expect(textOf("README.md").split("\n").length).toBeLessThanOrEqual(README_LINES_MAX));

it("leads from the README, or a page that it leads to, to every page", () => {
  const reached = new Set(["README.md"]);
  for (const document of reached) {
    for (const [, link] of prose(document).matchAll(LINK)) {
      const target = normalize(join(dirname(document), link!.split("#")[0]!));
      if (documents.includes(target)) reached.add(target);
    }
  }
  expect(documents.filter((document) => !reached.has(document))).toEqual([]);
});

it("explains every reason to read a table in full", () => {
  const table = textOf("docs/internals/life-of-a-sync.md");
  expect(Object.keys(READ_ALL).filter((reason) => !table.includes(`\`${reason}\``))).toEqual([]);
});
