// The row groups of files, as their footers have them, are kept: a path is never given to another content. Each reader
// has what their own conditions led to: how long it took is told, and must not say what others look for.

import { createHash } from "node:crypto";
import { LruMap } from "../../../../kernel/text/lru-map.ts";
import type { RowGroupQuestion, RowGroups } from "./row-groups.ts";

/** Bytes of memory for what is kept, as near as they are counted. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024;
const ENTRY_BYTES = 400;
const NUMBER_BYTES = 8;

export class KeptRowGroups {
  /** Row groups by reader, path and all of the conditions. */
  readonly #kept = new LruMap<readonly number[]>(KEPT_BYTES_MAX, ({ length }) => ENTRY_BYTES + NUMBER_BYTES * length);

  /** The answers to `questions`, in their order; `find` is asked of the files that are not known. */
  async of(
    reader: string,
    questions: readonly RowGroupQuestion[],
    find: (questions: RowGroupQuestion[]) => Promise<RowGroups[]>,
  ): Promise<Array<Array<readonly number[]>>> {
    const keyed = questions.map((question) => ({ ...question, digest: digestOf(reader, question) }));
    const answers = new Map<string, readonly number[]>();
    const isUnknown = (key: string): boolean => {
      const known = this.#kept.get(key);
      if (known) answers.set(key, known);
      return !known;
    };
    const asked = keyed
      .map((each) => ({ ...each, paths: each.paths.filter((path) => isUnknown(keyOf(each, path))) }))
      .filter(({ paths }) => paths.length > 0);
    const found = asked.length === 0 ? [] : await find(asked.map(({ digest: _, ...question }) => question));
    for (const [i, each] of asked.entries())
      for (const [j, path] of each.paths.entries()) {
        answers.set(keyOf(each, path), found[i]![j]!);
        this.#kept.set(keyOf(each, path), found[i]![j]!);
      }
    return keyed.map((each) => each.paths.map((path) => answers.get(keyOf(each, path))!));
  }
}

const digestOf = (reader: string, { conditions }: RowGroupQuestion): string =>
  createHash("sha256")
    .update(JSON.stringify([reader, conditions]))
    .digest("base64");

const keyOf = ({ digest }: { digest: string }, path: string): string => `${digest} ${path}`;
