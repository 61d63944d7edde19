// The messages between a dashboard and the page of an HTML tile. That page is not trusted: it can say that it is ready,
// and ask for a height. Pure.

import type { Cell, ColumnKind, ResultTable } from "../../../../kernel/docs/draw/result-table.ts";

export const FRAME_HEIGHT_MIN = 40;
export const FRAME_HEIGHT_MAX = 4_000;

type FrameData = { columns: { name: string; kind: ColumnKind }[]; rows: Cell[][] };

export const frameData = ({ columns, rowCount, cell }: ResultTable): FrameData => ({
  columns: columns.map(({ name, kind }) => ({ name, kind })),
  rows: Array.from({ length: rowCount }, (_, row) => columns.map((_, column) => cell(row, column))),
});

/** What the frame asks for; undefined for whatever else it sends. Heights are within their bounds. */
export function readFrameMessage(data: unknown): { isReady: true } | { height: number } | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { type, pixels } = data as { type?: unknown; pixels?: unknown };
  if (type === "ready") return { isReady: true };
  if (type !== "height" || typeof pixels !== "number" || !Number.isFinite(pixels)) return undefined;
  return { height: Math.min(Math.max(Math.ceil(pixels), FRAME_HEIGHT_MIN), FRAME_HEIGHT_MAX) };
}
