// The documents name files and sections that are there, and draw pictures that GitHub can render.

import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { READ_ALL } from "../../containers/engine/extract/changes/read-all-reasons.ts";
import { AUDIT_ACTIONS } from "../../src/platform/db/audit-actions.ts";
import { listFiles, ROOT, textOf } from "../support/node/tidy/source-tree.ts";

const BESIDE_CODE = ["kernel", "src", "containers", "clients"].flatMap((folder) => listFiles(folder, "README.md"));
const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...listFiles("docs", ".md"), ...BESIDE_CODE];
const README_LINES_MAX = 150;

const FENCED = /^```[\s\S]*?^```$/gm;
const LINK = /\]\(([^)\s]+)\)/g;
const PATH =
  /`((?:kernel|src|containers|clients|test|scripts|migrations|docs)\/[^`\s]*|[\w.-]+\.(?:toml|json|md)|\.(?:ci|git)[\w/.-]*)`/g;
/** As the code spells names: two words at least in one, or all capitals. */
const NAME = /`((?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:\.\w+)*)(?:\(\))?`/g;
/** Names, and the file that is said to have them: `one`, `two` in `src/file.ts`. */
const NAMES_IN =
  /((?:`[A-Za-z][\w.]*(?:\(\))?`(?:,| and| or)?\s+)+)(?:in|of)\s+`((?:kernel|src|containers|clients|test|scripts)\/[^`\s]+\.\w+)`/g;
const MERMAID = /^```mermaid\n([\s\S]*?)^```$/gm;
const DIAGRAMS = /^(flowchart (LR|TB|TD|BT)|sequenceDiagram|stateDiagram-v2)\n/;

/** Every word of the source. */
const words = new Set(
  ["kernel", "src", "containers", "clients", "scripts", "migrations", "test/support", "test/unit"]
    .flatMap((folder) => listFiles(folder))
    .concat("wrangler.toml", "test/tidy/audit.test.ts")
    .flatMap((file) => textOf(file).match(/[A-Za-z]\w+/g) ?? []),
);

const prose = (document: string): string => textOf(document).replaceAll(FENCED, "");

/** Whether a text declares a name, at its top level or as a member, rather than only uses it. */
const declares = (text: string, name: string): boolean =>
  new RegExp(
    `\\b(?:const|let|function\\*?|class|type|interface|def)\\s+${name}\\b` +
      `|^\\s+(?:(?:readonly|async|static)\\s+)*#?${name}\\??[:(<,]|^${name}\\s*=|[{,]\\s*${name}\\s*[,}:]`,
    "m",
  ).test(text);

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

  it("places names in the files that declare them", () => {
    const missing = [...prose(document).matchAll(NAMES_IN)].flatMap(([, names, file]) => {
      const text = textOf(file!);
      return names!
        .match(/(?<=[`.])\w+/g)!
        .filter((name) => !declares(text, name))
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

/** The rows of a document's table whose first heading is this, each by its cells. */
function rowsOf(document: string, heading: string): string[][] {
  const [, rows = ""] =
    new RegExp(`^\\| ${heading} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)*)`, "m").exec(textOf(document)) ?? [];
  return rows
    .trim()
    .split("\n")
    .map((row) => row.split(/(?<!\\)\|/).slice(1, -1));
}

const quotedIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

/** What a document's table lists in its first column. */
const listedIn = (document: string, heading: string): string[] =>
  [...new Set(rowsOf(document, heading).flatMap(([first]) => quotedIn(first!)))].sort();

/** The members of a list or a record that a file declares. */
function membersOf(file: string, declaration: string): string[] {
  const [, text = ""] = new RegExp(`const ${declaration}\\b.*[[{]\\n([\\s\\S]*?)\\n[\\]}]`).exec(textOf(file)) ?? [];
  return [...text.matchAll(/^ {2}"?([\w-]+)"?[:,]/gm)].map(([, name]) => name!).sort();
}

describe("a page that lists what there is", () => {
  const BACKGROUND = "docs/internals/background-work.md";

  it("has every reason to read a table in full, and no other", () =>
    expect(listedIn("docs/internals/life-of-a-sync.md", "Reason")).toEqual(Object.keys(READ_ALL).sort()));

  it("has every tick, and no other", () =>
    expect(listedIn(BACKGROUND, "Tick")).toEqual(membersOf("src/crons.ts", "EVERY_MINUTE")));

  it("has every kind of message with its consumer, and no other", () =>
    expect(listedIn(BACKGROUND, "Kind")).toEqual(membersOf("src/queues.ts", "CONSUMERS")));

  it("has every queue but that of dead letters, and no other", () =>
    expect(listedIn(BACKGROUND, "Queue")).toEqual(
      membersOf("src/queues.ts", "QUEUES").filter((queue) => !queue.endsWith("-dead")),
    ));

  it("has every action of the audit log, and no other", () => {
    const listed = rowsOf("docs/access.md", "Kind").flatMap(([kind, verbs]) =>
      quotedIn(verbs!).map((verb) => `${quotedIn(kind!)[0]}.${verb}`),
    );
    expect(listed.sort()).toEqual([...AUDIT_ACTIONS].sort());
  });
});

it("lists no action of the audit log that nothing records", () => {
  const source = listFiles("src/features", ".ts").map(textOf).join("\n");
  expect(AUDIT_ACTIONS.filter((action) => !source.includes(`"${action}"`))).toEqual([]);
});

it("gives every table of a document a heading", () => {
  expect(documents.filter((file) => /^\|(?: *\|)+ *$/m.test(textOf(file)))).toEqual([]);
});
