// A grid shows columns with names and types, and the text of each cell when it is seen.

export type GridColumn = {
  name: string;
  /** The type as its source calls it. */
  type: string;
  /** Numbers stand at the end of their column. */
  isNumber: boolean;
};

export type CellMark = "changed" | "added" | "removed";

export interface GridSource {
  readonly columns: readonly GridColumn[];
  readonly rowCount: number;
  /** Null is NULL. */
  text(row: number, column: number): string | null;
  /** Why a cell stands out. */
  cellMark?(row: number, column: number): CellMark | undefined;
}
