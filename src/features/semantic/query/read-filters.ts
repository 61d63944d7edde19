// The filters of a semantic query as they were sent: conditions, and groups of them to any depth that is bounded.

import { FILTER_GRAMMAR } from "../../../../kernel/access/filter-grammar.ts";
import { SEMANTIC_OPERATORS, type SemanticOperator } from "../../../../kernel/semantic/query.ts";
import { SEMANTIC_LIMITS } from "../limits.ts";
import type { Path, QueryFlaws } from "./flaws.ts";
import { isObject } from "../../../../kernel/text/is-object.ts";
import { MEMBER, readChoice, readText, refuseUnknownKeys } from "./read-value.ts";

export type SentCondition = { member: string; operator: SemanticOperator; values: (string | null)[]; path: Path };
export type SentGroup = { kind: "and" | "or"; filters: SentFilter[]; path: Path };
export type SentFilter = SentCondition | SentGroup;

const takesValues = (operator: SemanticOperator): boolean =>
  operator !== "measureFilter" && FILTER_GRAMMAR[operator].takes !== "nothing";

export function readFilters(raw: unknown, flaws: QueryFlaws): SentFilter[] {
  const reader = new FilterReader(flaws);
  return raw === undefined ? [] : (reader.readAll(raw, ["filters"], 1) ?? []);
}

/** Counts over the whole query, for groups multiply. */
class FilterReader {
  readonly #flaws: QueryFlaws;
  #filters = 0;
  #values = 0;

  constructor(flaws: QueryFlaws) {
    this.#flaws = flaws;
  }

  readAll(raw: unknown, path: Path, depth: number): SentFilter[] | undefined {
    if (!Array.isArray(raw)) return this.#flaws.addForm(path, "must be an array");
    if (depth > SEMANTIC_LIMITS.filterDepthMax)
      return this.#flaws.addForm(path, `is nested deeper than ${SEMANTIC_LIMITS.filterDepthMax} groups`);
    this.#filters += raw.length;
    if (this.#filters > SEMANTIC_LIMITS.filtersMax)
      return this.#flaws.addForm(path, `is one of more than ${SEMANTIC_LIMITS.filtersMax} filters`);
    return raw.flatMap((item: unknown, index) => this.#readOne(item, [...path, index], depth) ?? []);
  }

  #readOne(raw: unknown, path: Path, depth: number): SentFilter | undefined {
    if (!isObject(raw)) return this.#flaws.addForm(path, "must be of type object");
    const kinds = (["and", "or"] as const).filter((word) => Object.hasOwn(raw, word));
    const [kind] = kinds;
    if (kind === undefined) return this.#readCondition(raw, path);
    if (kinds.length > 1) return this.#flaws.addForm(path, "contains a conflict between exclusive peers [or, and]");
    refuseUnknownKeys(raw, [kind], path, this.#flaws);
    const filters = this.readAll(raw[kind], [...path, kind], depth + 1);
    return filters && { kind, filters, path };
  }

  #readCondition(raw: Record<string, unknown>, path: Path): SentCondition | undefined {
    const flaws = this.#flaws;
    refuseUnknownKeys(raw, ["member", "dimension", "operator", "values"], path, flaws);
    const names = ["dimension", "member"].filter((key) => raw[key] !== undefined);
    if (names.length > 1) return flaws.addForm(path, "contains a conflict between exclusive peers [dimension, member]");
    const [name] = names;
    if (name === undefined) return flaws.addForm(path, "must contain at least one of [dimension, member]");
    const member = readText(raw[name], [...path, name], flaws, MEMBER);
    if (raw["operator"] === undefined) return flaws.addForm([...path, "operator"], "is required");
    const operator = readChoice(raw["operator"], SEMANTIC_OPERATORS, [...path, "operator"], flaws);
    const values = this.#readValues(raw["values"], [...path, "values"]);
    if (operator === undefined || values === undefined || member === undefined) return undefined;
    if (!takesValues(operator)) return { member, operator, values: [], path };
    if (values.length === 0)
      return flaws.add(path, `Values required for filter: ${JSON.stringify({ member, operator, values })}`);
    return { member, operator, values, path };
  }

  #readValues(raw: unknown, path: Path): (string | null)[] | undefined {
    if (raw === undefined) return [];
    if (!Array.isArray(raw)) return this.#flaws.addForm(path, 'must be an array: a list of texts, as ["a"]');
    this.#values += raw.length;
    if (this.#values > SEMANTIC_LIMITS.valuesMax)
      return this.#flaws.addForm(path, `is one of more than ${SEMANTIC_LIMITS.valuesMax} values of the filters`);
    const texts = raw.map((value: unknown, index) => this.#readOneValue(value, [...path, index]));
    const known = texts.filter((text) => text !== undefined);
    return known.length < texts.length ? undefined : known;
  }

  #readOneValue(value: unknown, path: Path): string | null | undefined {
    if (value === null) return value;
    if (typeof value === "string") {
      if (value.includes("\0")) return this.#flaws.addForm(path, "holds a NUL character");
      return value.isWellFormed() ? value : this.#flaws.addForm(path, "holds half of a surrogate pair");
    }
    if (typeof value === "boolean") return String(value);
    if (typeof value !== "number") return this.#flaws.addForm(path, "must be one of [string, number, boolean, null]");
    // Its last digits are lost already, and it would be compared with another number than was meant.
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      return this.#flaws.addForm(path, "must be a safe number: send it as a string");
    return String(value);
  }
}
