// A result as CSV (RFC 4180), for spreadsheets: no cell of it is taken for a formula.

import { RENDER_BOUNDS } from "../bounds.ts";
import type { Cell } from "../../../../../kernel/docs/draw/result-table.ts";
import { type ColumnKind, NUMBER_KINDS, type ResultTable } from "../../../../../kernel/docs/draw/result-table.ts";
import { tooLargeFile } from "../result/unreadable.ts";

const PIECE_CHARACTERS = 1024 * 1024;

/** NULL is nothing, an empty text `""`. Throws an {@link UnreadableResult} where the file would grow too large. */
export function writeCsv(table: ResultTable, bytesMax: number = RENDER_BOUNDS.fileBytesMax): Uint8Array {
  const out = new TextPieces(bytesMax);
  out.add(`${table.columns.map(({ name }) => quoted(disarmed(name))).join(",")}\r\n`);
  const kinds = table.columns.map(({ kind }) => kind);
  for (let row = 0; row < table.rowCount; row++) {
    // Cell by cell: a dictionary makes a row of many large cells of few bytes.
    for (const [column, kind] of kinds.entries())
      out.add(`${column === 0 ? "" : ","}${csvCell(table.cell(row, column), kind)}`);
    out.add("\r\n");
  }
  return out.end();
}

const NUMBER = /^-?(\d+(\.\d+)?|Infinity)$/;

function csvCell(cell: Cell, kind: ColumnKind): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  return quoted(NUMBER_KINDS.has(kind) && NUMBER.test(cell) ? cell : disarmed(cell));
}

/** Programs that open CSV take these for the start of a formula, unless an apostrophe stands before them. */
const FORMULA_START = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
const disarmed = (text: string): string => (FORMULA_START.test(text) ? `'${text}` : text);

const quoted = (text: string): string =>
  text === "" || /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Text that is gathered as UTF-8, up to the bound of a file. */
class TextPieces {
  readonly #encoder = new TextEncoder();
  readonly #pieces: Uint8Array[] = [];
  readonly #bytesMax: number;
  #text = "";
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE_CHARACTERS) this.#flush();
  }

  end(): Uint8Array {
    this.#flush();
    const bytes = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }

  #flush(): void {
    const piece = this.#encoder.encode(this.#text);
    this.#text = "";
    this.#bytes += piece.length;
    if (this.#bytes > this.#bytesMax) throw tooLargeFile(this.#bytesMax);
    this.#pieces.push(piece);
  }
}
