// What an operation declares to record in the audit log is what its verb records, and no action is nobody's.

import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { AUDIT_ACTIONS } from "../../src/platform/db/audit-actions.ts";
import { listFiles, textOf } from "../support/node/tidy/source-tree.ts";

type Declared = { id: string; file: string; text: string; audits: string[] };

/** The table of what a job can run: what is in it is recorded by the job's runs, and not by the call. */
const KINDS = "RESOURCES";

const ACTIONS = new Set<string>(AUDIT_ACTIONS);
const actionsIn = (text: string): string[] => [...text.matchAll(/"([a-z_]+\.[a-z_]+)"/g)].map(([, word]) => word!);

const declared: Declared[] = listFiles("src/features", ".ts").flatMap((file) =>
  textOf(file)
    .split(/(?=\.(?:operation|rawOperation)\()/)
    .slice(1)
    .map((text) => ({
      id: /peration\(\s*["`]([^"`]+)/.exec(text)?.[1] ?? "",
      file,
      text: text.split(/^\}\);$|^ {2}\}\);$/m)[0]!,
      audits: actionsIn(/^\s+audit: (.*)$/m.exec(text)?.[1] ?? ""),
    })),
);

const parts = new Map<string, Map<string, string>>();

/** The functions and constants at the top of a file, by name, each with its whole text. */
function partsOf(file: string): Map<string, string> {
  const known = parts.get(file);
  if (known) return known;
  const texts = textOf(file)
    .replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "")
    .split(/^(?=[a-z])/m);
  const named = new Map<string, string>();
  for (const text of texts) {
    const name = /^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/.exec(text)?.[1];
    if (name) named.set(name, text);
  }
  parts.set(file, named);
  return named;
}

const imports = new Map<string, [name: string, from: string][]>();

/** Which file each imported value is from, by its name there. */
function importsOf(file: string): [name: string, from: string][] {
  const known = imports.get(file);
  if (known) return known;
  const lists = [...textOf(file).matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)];
  const found = lists.flatMap(([, list, source]) =>
    list!
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && !name.startsWith("type "))
      .map((name): [string, string] => [name, join(dirname(file), source!)]),
  );
  imports.set(file, found);
  return found;
}

/** The actions that a text records, or any function that it reaches. */
function reachedFrom(file: string, text: string, seen: Set<string>): string[] {
  const words = new Set(text.match(/\w+/g));
  const next: [string, string][] = [
    ...importsOf(file),
    ...[...partsOf(file).keys()].map((name): [string, string] => [name, file]),
  ];
  const found = actionsIn(text).filter((word) => ACTIONS.has(word));
  for (const [name, from] of next) {
    const id = `${from} ${name}`;
    if (!from.startsWith("src/features/") || seen.has(id) || name === KINDS || !words.has(name)) continue;
    seen.add(id);
    const part = partsOf(from).get(name);
    if (part) found.push(...reachedFrom(from, part, seen));
  }
  return found;
}

const recordedBy = ({ file, text }: Declared): string[] => {
  const work = text.slice(text.search(/\n\s*(?:async )?(?:run|respond)\b/));
  return [...new Set(reachedFrom(file, work, new Set()))].sort();
};

it("declares each action that its verb records, and no other", () => {
  const wrong = declared
    .map((operation) => ({ id: operation.id, declared: [...operation.audits].sort(), recorded: recordedBy(operation) }))
    .filter(({ declared: said, recorded }) => said.join() !== recorded.join());
  expect(wrong).toEqual([]);
});

it("declares every action of the log", () => {
  const said = new Set(declared.flatMap(({ audits }) => audits));
  expect(AUDIT_ACTIONS.filter((action) => !said.has(action))).toEqual([]);
});
