// The noun: a question, and what an answer to it has to name and to hold. Pure.

import { isMap } from "../json.ts";
import { LineCounter, parseAllDocuments, isNode, type Document } from "yaml";

export type Row = readonly unknown[] | Readonly<Record<string, unknown>>;

export type Eval = Readonly<{
  /** `file:line` of its document. */
  place: string;
  question: string;
  /** The semantic model that is asked, by name or id; the team's only one where it is absent. */
  model: string | undefined;
  members: readonly string[] | undefined;
  rows: readonly Row[] | undefined;
}>;

/** `place` is `file:line`. */
export type EvalFlaw = Readonly<{ place: string; message: string }>;

export type ReadEvals = Readonly<{ evals: readonly Eval[]; flaws: readonly EvalFlaw[] }>;

const QUESTION_CHARACTERS_MAX = 500;
const MEMBERS_MAX = 100;
/** What a tool of the platform answers at most: more could not be compared. */
const ROWS_MAX = 200;
const MEMBER = /^\w+\.\w+$/;

/** One file: YAML documents, each an eval. A document with a flaw is no eval. */
export function readEvals(file: string, text: string): ReadEvals {
  const counter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: counter });
  if (!Array.isArray(documents)) return { evals: [], flaws: [{ place: `${file}:1`, message: "It is empty." }] };
  const read = documents.map((document) => readDocument(file, document, counter));
  return { evals: read.flatMap(({ evals }) => evals), flaws: read.flatMap(({ flaws }) => flaws) };
}

function readDocument(file: string, document: Document.Parsed, counter: LineCounter): ReadEvals {
  const placeAt = (offset: number): string => `${file}:${counter.linePos(offset).line}`;
  if (document.errors.length > 0)
    return { evals: [], flaws: document.errors.map(({ pos, message }) => ({ place: placeAt(pos[0]), message })) };
  const placeOf = (path: readonly (string | number)[]): string => {
    const node = path.length === 0 ? document.contents : document.getIn(path, true);
    return placeAt((isNode(node) ? node : document.contents)?.range?.[0] ?? document.range[0]);
  };
  const value: unknown = document.toJS();
  const flaws = flawsOf(value).map(([path, message]) => ({ place: placeOf(path), message }));
  if (flaws.length > 0) return { evals: [], flaws };
  const { question, model, expect } = value as { question: string; model?: string; expect: Partial<Eval> };
  return { evals: [{ place: placeOf([]), question, model, members: expect.members, rows: expect.rows }], flaws: [] };
}

type PlacedFlaw = readonly [path: (string | number)[], message: string];

const isText = (value: unknown, charactersMax: number): boolean =>
  typeof value === "string" && value.trim() !== "" && value.length <= charactersMax;

const unknownKeys = (value: object, known: readonly string[], path: string[]): PlacedFlaw[] =>
  Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => [[...path, key], `${key} is not known here. There are ${known.join(", ")}.`]);

function flawsOf(value: unknown): PlacedFlaw[] {
  if (!isMap(value)) return [[[], "An eval is a map with question and expect."]];
  const { question, model, expect } = value;
  const flaws = unknownKeys(value, ["question", "model", "expect"], []);
  if (!isText(question, QUESTION_CHARACTERS_MAX))
    flaws.push([["question"], `question has to be a text of at most ${QUESTION_CHARACTERS_MAX} characters.`]);
  if (model !== undefined && !isText(model, QUESTION_CHARACTERS_MAX))
    flaws.push([["model"], "model has to be the name of a semantic model's integration."]);
  if (!isMap(expect)) return [...flaws, [["expect"], "expect has to be a map with members, rows or both."]];
  flaws.push(...unknownKeys(expect, ["members", "rows"], ["expect"]));
  const { members, rows } = expect;
  if (members === undefined && rows === undefined) flaws.push([["expect"], "expect names neither members nor rows."]);
  if (members !== undefined) flaws.push(...flawsOfMembers(members));
  if (rows !== undefined) flaws.push(...flawsOfRows(rows));
  return flaws;
}

function flawsOfMembers(members: unknown): PlacedFlaw[] {
  const path = ["expect", "members"];
  if (!Array.isArray(members) || members.length === 0 || members.length > MEMBERS_MAX)
    return [[path, `members has to be a list of 1 to ${MEMBERS_MAX} names.`]];
  return members.flatMap((member, i): PlacedFlaw[] =>
    typeof member === "string" && MEMBER.test(member)
      ? []
      : [[[...path, i], `A member is named cube.member, and not ${JSON.stringify(member)}.`]],
  );
}

const isCell = (value: unknown): boolean => value === null || ["string", "number", "boolean"].includes(typeof value);

/** Lists are compared by the order of columns, maps by their names: one of the two throughout. */
function flawsOfRows(rows: unknown): PlacedFlaw[] {
  const path = ["expect", "rows"];
  if (!Array.isArray(rows) || rows.length > ROWS_MAX)
    return [[path, `rows has to be a list of at most ${ROWS_MAX} rows.`]];
  const shapeOf = (row: unknown): string | undefined =>
    Array.isArray(row) ? `list of ${row.length}` : isMap(row) ? Object.keys(row).sort().join() : undefined;
  return rows.flatMap((row, i): PlacedFlaw[] => {
    const shape = shapeOf(row);
    if (shape === undefined) return [[[...path, i], "A row is a list of values, or a map of columns to values."]];
    if (shape !== shapeOf(rows[0])) return [[[...path, i], "It has other columns than the first row."]];
    return Object.values(row as object).every(isCell)
      ? []
      : [[[...path, i], "Its values have to be texts, numbers, booleans or null."]];
  });
}
