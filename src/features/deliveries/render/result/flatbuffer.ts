// Reads tables of a FlatBuffer, the form of Arrow's metadata. A place outside the buffer throws a RangeError, since all
// reading goes through a DataView.

import { damaged } from "./unreadable.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A vector: `at` is where its first entry stands. */
export type Entries = { at: number; length: number };

export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;
  readonly #slots: number;
  readonly #slotsBytes: number;

  constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
    this.#slots = at - view.getInt32(at, true);
    this.#slotsBytes = view.getUint16(this.#slots, true);
  }

  /** The root of a buffer. */
  static root(view: DataView): FlatTable {
    return new FlatTable(view, view.getUint32(0, true));
  }

  /** Where the value of a slot stands; 0 where it has none. */
  #place(slot: number): number {
    const entry = 4 + slot * 2;
    const offset = entry < this.#slotsBytes ? this.#view.getUint16(this.#slots + entry, true) : 0;
    return offset === 0 ? 0 : this.#at + offset;
  }

  uint8(slot: number): number {
    const at = this.#place(slot);
    return at === 0 ? 0 : this.#view.getUint8(at);
  }

  int16(slot: number, otherwise = 0): number {
    const at = this.#place(slot);
    return at === 0 ? otherwise : this.#view.getInt16(at, true);
  }

  int32(slot: number, otherwise = 0): number {
    const at = this.#place(slot);
    return at === 0 ? otherwise : this.#view.getInt32(at, true);
  }

  int64(slot: number): bigint {
    const at = this.#place(slot);
    return at === 0 ? 0n : this.#view.getBigInt64(at, true);
  }

  table(slot: number): FlatTable | undefined {
    const at = this.#place(slot);
    return at === 0 ? undefined : new FlatTable(this.#view, at + this.#view.getUint32(at, true));
  }

  text(slot: number): string | undefined {
    const entries = this.entries(slot, 1);
    if (!entries) return undefined;
    return UTF8.decode(new Uint8Array(this.#view.buffer, this.#view.byteOffset + entries.at, entries.length));
  }

  /** Entries of `width` bytes each, all of them within the buffer. */
  entries(slot: number, width: number): Entries | undefined {
    const place = this.#place(slot);
    if (place === 0) return undefined;
    const at = place + this.#view.getUint32(place, true);
    const length = this.#view.getUint32(at, true);
    if (length * width > this.#view.byteLength - at - 4) throw damaged("a list in it is longer than its bytes");
    return { at: at + 4, length };
  }

  /** Entry `index` of a list of pairs of 64-bit numbers; undefined beyond its end. */
  longs(slot: number, index: number): [bigint, bigint] | undefined {
    const entries = this.entries(slot, 16);
    if (!entries || index >= entries.length) return undefined;
    const at = entries.at + index * 16;
    return [this.#view.getBigInt64(at, true), this.#view.getBigInt64(at + 8, true)];
  }

  tables(slot: number): FlatTable[] {
    const entries = this.entries(slot, 4);
    if (!entries) return [];
    return Array.from({ length: entries.length }, (_, i) => {
      const at = entries.at + i * 4;
      return new FlatTable(this.#view, at + this.#view.getUint32(at, true));
    });
  }
}
