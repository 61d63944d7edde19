// A tile takes a place on a dashboard's grid, in columns and rows; no two places overlap.

export type GridPlace = { x: number; y: number; w: number; h: number };

export const overlaps = (one: GridPlace, other: GridPlace): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
