// Two texts line by line, as the lines that went and came with some around them. Pure.

const CONTEXT_LINES = 3;
/** Beyond this many pairs of lines, all old lines go and all new ones come. */
const PAIRS_MAX = 4_000_000;

type Line = { mark: " " | "-" | "+"; text: string };

/** Lines that begin with ` `, `-` or `+`; empty where the texts are equal. */
export function lineDiff(before: string, after: string): string[] {
  if (before === after) return [];
  const lines = compare(before.split("\n"), after.split("\n"));
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(({ mark }) => mark !== " "),
  );
  const shown: string[] = [];
  lines.forEach(({ mark, text }, at) => {
    if (!isNear[at]) return;
    if (at > 0 && !isNear[at - 1]) shown.push("…");
    shown.push(mark + text);
  });
  return shown;
}

/** By the longest common subsequence. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  const gone = (text: string): Line => ({ mark: "-", text });
  const come = (text: string): Line => ({ mark: "+", text });
  if (before.length * after.length > PAIRS_MAX) return [...before.map(gone), ...after.map(come)];
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const [below, right] = [lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!];
      lengths[i * width + j] = before[i] === after[j] ? lengths[(i + 1) * width + j + 1]! + 1 : Math.max(below, right);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push({ mark: " ", text: before[i]! });
      i++;
      j++;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) lines.push(gone(before[i++]!));
    else lines.push(come(after[j++]!));
  }
  return [...lines, ...before.slice(i).map(gone), ...after.slice(j).map(come)];
}
