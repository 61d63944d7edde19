// A result under the names of members, its times as Cube writes them.

import type { SemanticSql } from "../../../../kernel/semantic/query.ts";
import type { ShownColumn } from "../../core/statement.ts";
import type { Column, Row } from "../../formats/result.ts";
import { columnShown, otherColumns } from "../../formats/shown-column.ts";

export type Presentation = {
  columns: Column[];
  /** A row of those columns; valid until the next one. */
  rowOf(row: Row): Row;
};

/** Where a presented cell comes from; `index` is undefined for the range that all rows of a query have. */
type Cell = { column: Column; index: number | undefined; isTime: boolean };

const COMPARED: Column = { name: "compareDateRange", type: "text", kind: "text" };

/** Further fields of rows: which of the ranges they are of, or their time by the name that answers are blended by. */
export type Besides = { compareDateRange?: string | undefined; isBlended?: boolean | undefined };

/**
 * A time with a granularity is shown twice: as `cube.time.granularity` and as `cube.time`, which the last granularity
 * keeps, unless the time is asked for by itself. The first one is shown as `time.granularity` too where it is blended.
 */
export function shownColumns(members: SemanticSql["columns"], isBlended = false): ShownColumn[] {
  const shown = new Map<string, ShownColumn>();
  const own = new Set(members.map(({ member }) => member));
  const blendedAt = isBlended ? members.findIndex(({ member }) => granularityOf(member) !== undefined) : -1;
  members.forEach(({ member, kind }, index) => {
    const put = (name: string): void => void shown.set(name, { name, index, isTime: kind === "time" });
    put(member);
    const [cube, time, granularity] = member.split(".");
    if (granularity !== undefined && !own.has(`${cube}.${time}`)) put(`${cube}.${time}`);
    if (index === blendedAt) put(`time.${granularity}`);
  });
  return [...shown.values()];
}

const granularityOf = (member: string): string | undefined => member.split(".")[2];

export function present(
  members: SemanticSql["columns"],
  found: readonly Column[],
  { compareDateRange, isBlended }: Besides = {},
): Presentation {
  if (members.length !== found.length) throw otherColumns();
  const list: Cell[] = shownColumns(members, isBlended).map((shown) => {
    const { index, isTime } = shown;
    return { column: columnShown(shown, found[index]!), index, isTime };
  });
  if (compareDateRange !== undefined) list.push({ column: COMPARED, index: undefined, isTime: false });
  const columns = list.map(({ column }) => column);
  // Without times and ranges the cells are the result's own, in their order.
  if (list.every(({ index, isTime }) => index !== undefined && !isTime)) return { columns, rowOf: (row) => row };
  const packer = new RowPacker(list, Buffer.from(compareDateRange ?? ""));
  return { columns, rowOf: (row) => packer.pack(row) };
}

/** The most bytes that a time grows by, in its form for Cube. */
const GROWTH_MAX = 24;

class RowPacker {
  readonly #cells: readonly Cell[];
  readonly #compared: Buffer;
  readonly #row: Row;
  #bytes: Buffer = Buffer.allocUnsafeSlow(4096);

  constructor(cells: readonly Cell[], compared: Buffer) {
    this.#cells = cells;
    this.#compared = compared;
    this.#row = { bytes: this.#bytes, starts: new Int32Array(cells.length), ends: new Int32Array(cells.length) };
  }

  pack(from: Row): Row {
    this.#reserve(from);
    const { starts, ends } = this.#row;
    let at = 0;
    for (let i = 0; i < this.#cells.length; i++) {
      const { index, isTime } = this.#cells[i]!;
      starts[i] = at;
      if (index === undefined) ends[i] = at += this.#compared.copy(this.#bytes, at);
      else if (from.ends[index]! < 0) ends[i] = -1;
      else ends[i] = at = this.#put(from.bytes.subarray(from.starts[index], from.ends[index]), at, isTime);
    }
    return this.#row;
  }

  #put(cell: Uint8Array, at: number, isTime: boolean): number {
    const time = isTime ? timeOf(cell) : undefined;
    if (time !== undefined) return at + this.#bytes.write(time, at, "latin1");
    this.#bytes.set(cell, at);
    return at + cell.length;
  }

  #reserve({ starts, ends }: Row): void {
    let size = this.#compared.length;
    for (const { index } of this.#cells)
      if (index !== undefined) size += Math.max(0, ends[index]! - starts[index]!) + GROWTH_MAX;
    if (size <= this.#bytes.length) return;
    this.#bytes = Buffer.allocUnsafeSlow(size * 2);
    this.#row.bytes = this.#bytes;
  }
}

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:Z|\+00(?::?00)?)?)?$/;
const TIME_BYTES_MAX = 40;

/** `2026-01-31T10:00:00.000`; undefined for what is no such time, as infinity, years of more digits, or zero dates. */
function timeOf(cell: Uint8Array): string | undefined {
  if (cell.length > TIME_BYTES_MAX) return undefined;
  const [, day, clock = "00:00:00", fraction = ""] = TIME.exec(Buffer.from(cell).toString("latin1")) ?? [];
  return day === undefined ? undefined : `${day}T${clock}.${fraction.slice(0, 3).padEnd(3, "0")}`;
}
