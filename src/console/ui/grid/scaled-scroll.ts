// Scrolling over more rows than a browser has pixels for: the scroll bar moves by a scale, wheel and keys by true rows.
// Pure.

/** Browsers end near 16.7 million pixels; half of that is safe in each of them. */
export const SPACER_PX_MAX = 8_000_000;

export type Extent = { rows: number; rowHeight: number; viewport: number };

/** How high the scrolled content is for the browser. */
export const spacerHeight = ({ rows, rowHeight }: Extent): number => Math.min(rows * rowHeight, SPACER_PX_MAX);

/** The furthest true position. */
export const topMax = ({ rows, rowHeight, viewport }: Extent): number => Math.max(0, rows * rowHeight - viewport);

/** True pixels of one pixel of the scroll bar; 1 where everything fits. */
export function scaleOf(extent: Extent): number {
  const scrolled = spacerHeight(extent) - extent.viewport;
  return scrolled <= 0 ? 1 : topMax(extent) / scrolled;
}

export const clampTop = (top: number, extent: Extent): number => Math.max(0, Math.min(topMax(extent), top));

/** The position that has the row in view, nearest to where it is now. */
export function topThatShows(row: number, top: number, extent: Extent): number {
  const { rowHeight, viewport } = extent;
  const [start, end] = [row * rowHeight, (row + 1) * rowHeight];
  if (start < top) return clampTop(start, extent);
  if (end > top + viewport) return clampTop(end - viewport, extent);
  return clampTop(top, extent);
}
