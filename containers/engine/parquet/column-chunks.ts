// A Parquet file's column chunks are laid out, and some of them are fetched by few ranges of its bytes. Pure.

/**
 * A column chunk, or its bloom filter: bytes from `start` up to `end`. `field` is the index of its outer column in the
 * file; of a file that can't be had piece by piece there is one chunk, of the field {@link EVERY_FIELD}.
 */
export type ColumnChunk = {
  rowGroup: number;
  /** The position in the file of the chunk's first row. */
  firstRow: number;
  field: number;
  start: number;
  end: number;
  isBloom?: boolean;
};

/** Bytes from `start` up to `end`, which bring in the chunks at these indexes of the layout. */
export type Range = { start: number; end: number; chunks: number[] };

export const EVERY_FIELD = -1;

/**
 * Bytes that are read needlessly to save a request: at most this many in one gap, and this share of the wanted bytes.
 */
const GAP_BYTES_MAX = 256 * 1024;
const GAP_SHARE = 0.08;
/** A larger range is split between chunks, so that its parts are fetched at the same time. */
const RANGE_BYTES_MAX = 16 * 1024 * 1024;

/**
 * The chunks in the order of the file, or the one chunk that a file is whose chunks are not all known, apart and below
 * `end`.
 */
export function layoutOf(chunks: readonly ColumnChunk[], end: number): ColumnChunk[] {
  const layout = [...chunks].sort((a, b) => a.start - b.start);
  const isSound = layout.every(
    ({ start, end: stop }, i) => start >= (layout[i - 1]?.end ?? 0) && stop > start && stop <= end,
  );
  return isSound && layout.length > 0 ? layout : [{ rowGroup: 0, firstRow: 0, field: EVERY_FIELD, start: 0, end }];
}

/**
 * Ranges that bring in the chunks at the indexes `wanted`, in ascending order. Where a small gap is read over, the
 * chunks within that `isMissing` are brought in too.
 */
export function rangesOf(
  layout: readonly ColumnChunk[],
  wanted: readonly number[],
  isMissing: (at: number) => boolean,
): Range[] {
  const closed = closedGaps(layout, wanted);
  const ranges: Range[] = [];
  wanted.forEach((at, i) => {
    const { start, end } = layout[at]!;
    const last = ranges.at(-1);
    if (!last || !closed.has(i) || end - last.start > RANGE_BYTES_MAX) return ranges.push({ start, end, chunks: [at] });
    for (let between = wanted[i - 1]! + 1; between < at; between++) if (isMissing(between)) last.chunks.push(between);
    last.chunks.push(at);
    return (last.end = end);
  });
  return ranges;
}

/** The wanted chunks that are read on to from the one before: the smallest gaps, as far as the share goes. */
function closedGaps(layout: readonly ColumnChunk[], wanted: readonly number[]): Set<number> {
  const bytes = wanted.reduce((sum, at) => sum + layout[at]!.end - layout[at]!.start, 0);
  const gaps = wanted.slice(1).map((at, i) => ({ i: i + 1, bytes: layout[at]!.start - layout[wanted[i]!]!.end }));
  let bytesLeft = bytes * GAP_SHARE;
  const closed = new Set<number>();
  for (const gap of gaps.sort((a, b) => a.bytes - b.bytes)) {
    bytesLeft -= gap.bytes;
    if (bytesLeft < 0 || gap.bytes > GAP_BYTES_MAX) break;
    closed.add(gap.i);
  }
  return closed;
}
