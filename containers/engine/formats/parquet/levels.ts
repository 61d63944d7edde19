// Levels of a page, in runs and in groups of eight:
// https://parquet.apache.org/docs/file-format/data-pages/encodings/#RLE

import type { Output } from "../output.ts";

/** As many values stand in a group; fewer of one kind are not worth a run. */
const GROUP = 8;
const LENGTH_BYTES = 4;

/** Appends levels between 0 and `most`; nothing where there is only one, as then all are 0. */
export function putLevels(out: Output, levels: Uint8Array, most: number): void {
  if (most === 0) return;
  const width = 32 - Math.clz32(most);
  out.reserve(LENGTH_BYTES);
  const start = out.length;
  out.length += LENGTH_BYTES;
  for (let at = 0; at < levels.length; ) {
    const run = runAt(levels, at, levels.length);
    at = run >= GROUP ? putRun(out, levels[at]!, { at, run }) : putGroups(out, levels, { at, width });
  }
  // What came behind may have moved all of it.
  out.view.setUint32(start, out.length - start - LENGTH_BYTES, true);
}

/** How many levels from `at` on are the same; not more are looked at than up to `end`. */
function runAt(levels: Uint8Array, at: number, end: number): number {
  const level = levels[at];
  let to = at + 1;
  while (to < end && levels[to] === level) to++;
  return to - at;
}

/** A level has at most eight bits, so one byte. Answers where the run ends. */
function putRun(out: Output, level: number, { at, run }: { at: number; run: number }): number {
  putVarint(out, run * 2);
  out.byte(level);
  return at + run;
}

/** Groups up to where a run begins. What is missing of the last group is zeros. Answers where they end. */
function putGroups(out: Output, levels: Uint8Array, { at, width }: { at: number; width: number }): number {
  let end = at;
  do end += GROUP;
  while (end < levels.length && runAt(levels, end, Math.min(end + GROUP, levels.length)) < GROUP);
  putVarint(out, ((end - at) / GROUP) * 2 + 1);
  let bits = 0;
  let held = 0;
  for (let i = at; i < end; i++) {
    bits |= (levels[i] ?? 0) << held;
    for (held += width; held >= 8; held -= 8) {
      out.byte(bits & 0xff);
      bits >>>= 8;
    }
  }
  return Math.min(end, levels.length);
}

/** Seven bits a byte, lowest first. */
function putVarint(out: Output, value: number): void {
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) out.byte((rest % 128) | 0x80);
  out.byte(rest);
}
