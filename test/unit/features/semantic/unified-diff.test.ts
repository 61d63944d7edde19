// Unified diffs of two texts: right by what applying one gives, and as short as can be.

import { describe, expect, it } from "vitest";
import { unifiedDiff } from "../../../../src/features/semantic/versions/unified-diff.ts";
import { randomOf } from "../../../support/unit/random.ts";

/** What a diff makes of the text before, checked line by line. */
function apply(before: string, diff: string): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const made: string[] = [];
  let at = 0;
  const lines = diff.split("\n").slice(0, -1);
  for (let index = 0; index < lines.length; ) {
    const [, start, count = "1", , added = "1"] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$/.exec(lines[index++]!)!;
    const from = Number(count) === 0 ? Number(start) : Number(start) - 1;
    made.push(...old.slice(at, from));
    at = from;
    let [left, toAdd] = [Number(count), Number(added)];
    while (left > 0 || toAdd > 0) {
      const [sign, text] = [lines[index]![0], lines[index]!.slice(1)];
      const isLast = lines[++index] === "\\ No newline at end of file";
      if (isLast) index++;
      const line = isLast ? text : `${text}\n`;
      if (sign !== "+") expect(old[at++]).toBe(line);
      if (sign !== "-") made.push(line);
      if (sign !== "+") left--;
      if (sign !== "-") toAdd--;
    }
  }
  return [...made, ...old.slice(at)].join("");
}

const editsIn = (diff: string): number => diff.split("\n").filter((line) => /^[-+]/.test(line)).length;

/** By the table of longest common subsequences. */
function fewestEdits(before: string[], after: string[]): number {
  let row = Array.from({ length: after.length + 1 }, (_, i) => i);
  for (const [i, line] of before.entries()) {
    const next = [i + 1];
    for (const [j, other] of after.entries()) next.push(line === other ? row[j]! : 1 + Math.min(row[j + 1]!, next[j]!));
    row = next;
  }
  return row.at(-1)!;
}

describe("unifiedDiff", () => {
  it("is what diff -u makes of a change in the middle, one at the end, and one far from both", () => {
    const before = Array.from({ length: 30 }, (_, i) => `${i + 1}\n`);
    const after = before.with(4, "five\n").toSpliced(20, 1).concat("31");
    expect(unifiedDiff(before.join(""), after.join(""), 10)).toBe(`@@ -2,7 +2,7 @@
 2
 3
 4
-5
+five
 6
 7
 8
@@ -18,7 +18,6 @@
 18
 19
 20
-21
 22
 23
 24
@@ -28,3 +27,4 @@
 28
 29
 30
+31
\\ No newline at end of file
`);
  });

  it("names an empty side by the line before it", () => {
    expect(unifiedDiff("", "a\nb\n", 10)).toBe("@@ -0,0 +1,2 @@\n+a\n+b\n");
    expect(unifiedDiff("a\n", "", 10)).toBe("@@ -1 +0,0 @@\n-a\n");
    expect(unifiedDiff("a\n", "a\n", 0)).toBe("");
    expect(unifiedDiff("a", "a\n", 10)).toBe("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
  });

  it("answers nothing beyond its bound, however long the texts are", () => {
    const many = (word: string) => Array.from({ length: 40_000 }, (_, i) => `${word} ${i}\n`).join("");
    expect(unifiedDiff(many("a"), many("b"), 1_000)).toBeUndefined();
    expect(unifiedDiff("a\nb\n", "c\n", 2)).toBeUndefined();
    expect(unifiedDiff("a\nb\n", "c\n", 3)).toBeDefined();
  });

  it("gives the text after when it is applied, with as few lines as possible, for any texts", () => {
    const random = randomOf(12);
    const below = (bound: number) => Math.floor(random() * bound);
    for (let round = 0; round < 2_000; round++) {
      const text = () => {
        const lines = Array.from({ length: below(14) }, () => `${"abc"[below(3)]}\n`).join("");
        return below(3) === 0 ? lines.slice(0, -1) : lines;
      };
      const [before, after] = [text(), text()];
      const diff = unifiedDiff(before, after, 100)!;
      expect(apply(before, diff)).toBe(after);
      const linesOf = (whole: string) => whole.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      expect(editsIn(diff)).toBe(fewestEdits(linesOf(before), linesOf(after)));
    }
  });
});
