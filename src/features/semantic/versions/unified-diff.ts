// Two texts as a unified diff: the fewest lines that went and came (E. Myers, "An O(ND) Difference Algorithm", 1986),
// with three lines around them.

const CONTEXT_LINES = 3;

type Line = { sign: " " | "-" | "+"; text: string };

/** Without the lines that name the files. Undefined where more than so many lines went and came. */
export function unifiedDiff(before: string, after: string, editsMax: number): string | undefined {
  const lines = diffLines(linesOf(before), linesOf(after), editsMax);
  return lines && hunksOf(lines).join("");
}

/** Each with its line break; only the last may have none. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function diffLines(before: string[], after: string[], editsMax: number): Line[] | undefined {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const edits = shortestEdits(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
    editsMax,
  );
  const same = (lines: string[]): Line[] => lines.map((text) => ({ sign: " ", text }));
  return edits && [...same(before.slice(0, start)), ...edits, ...same(before.slice(before.length - end))];
}

/** For each number of edits, the furthest line of `before` that is reached on each diagonal, until the end is. */
function shortestEdits(before: string[], after: string[], editsMax: number): Line[] | undefined {
  const reached: Int32Array[] = [];
  let last = new Int32Array(3);
  for (let edits = 0; edits <= Math.min(editsMax, before.length + after.length); edits++) {
    // Diagonal d is at index d + edits + 1.
    const now = new Int32Array(2 * edits + 3);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x =
        edits === 0 ? 0 : isDown(last, diagonal, edits) ? last[diagonal + 1 + edits]! : last[diagonal - 1 + edits]! + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      now[diagonal + edits + 1] = x;
      if (x >= before.length && x - diagonal >= after.length) return walkBack(before, after, [...reached, now]);
    }
    reached.push(now);
    last = now;
  }
  return undefined;
}

/** Whether the way to the diagonal is a line that came; `last` holds one edit less. */
const isDown = (last: Int32Array, diagonal: number, edits: number): boolean =>
  diagonal === -edits || (diagonal !== edits && last[diagonal - 1 + edits]! < last[diagonal + 1 + edits]!);

function walkBack(before: string[], after: string[], reached: Int32Array[]): Line[] {
  const lines: Line[] = [];
  let [x, y] = [before.length, after.length];
  for (let edits = reached.length - 1; edits >= 0; edits--) {
    const diagonal = x - y;
    const last = reached[edits - 1];
    const down = last !== undefined && isDown(last, diagonal, edits);
    const fromX = last === undefined ? 0 : down ? last[diagonal + 1 + edits]! : last[diagonal - 1 + edits]!;
    const fromY = last === undefined ? 0 : down ? fromX - diagonal - 1 : fromX - diagonal + 1;
    while (x > fromX && y > fromY) {
      lines.push({ sign: " ", text: before[--x]! });
      y--;
    }
    if (last === undefined) break;
    lines.push(down ? { sign: "+", text: after[--y]! } : { sign: "-", text: before[--x]! });
  }
  return lines.reverse();
}

/** Changes with the lines around them; those that are near each other in one. */
function hunksOf(lines: Line[]): string[] {
  const changed = lines.flatMap(({ sign }, index) => (sign === " " ? [] : [index]));
  const spans: { from: number; to: number }[] = [];
  for (const index of changed) {
    const span = { from: Math.max(0, index - CONTEXT_LINES), to: Math.min(lines.length, index + CONTEXT_LINES + 1) };
    const last = spans.at(-1);
    if (last && span.from <= last.to) last.to = span.to;
    else spans.push(span);
  }
  let [position, beforeLine, afterLine] = [0, 1, 1];
  return spans.map(({ from, to }) => {
    // Between two hunks nothing has changed.
    beforeLine += from - position;
    afterLine += from - position;
    position = to;
    const hunk = lines.slice(from, to);
    const [removed, added] = ["-", "+"].map(
      (sign) => hunk.filter((line) => line.sign === " " || line.sign === sign).length,
    );
    const head = `@@ -${range(beforeLine, removed!)} +${range(afterLine, added!)} @@\n`;
    beforeLine += removed!;
    afterLine += added!;
    return (
      head +
      hunk
        .map(({ sign, text }) => sign + (text.endsWith("\n") ? text : `${text}\n\\ No newline at end of file\n`))
        .join("")
    );
  });
}

/** An empty range is named by the line before it. */
const range = (line: number, count: number): string =>
  count === 1 ? `${line}` : `${count === 0 ? line - 1 : line},${count}`;
