// Received bytes, cut into MySQL's packets.

const MIB = 1024 * 1024;
const BUFFER_BYTES = 256 * 1024;

/** A packet this long is continued in the next. */
export const PACKET_BYTES = 0xff_ffff;
/** Its length in three bytes, and its number. */
export const HEAD_BYTES = 4;

export class Packets {
  memory = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  from = 0;
  to = 0;
  sequence = 0;

  #start = 0;
  #end = 0;

  /** How long the packet that comes next says it is; 0 where it does not yet. */
  get announced(): number {
    return this.#end - this.#start >= HEAD_BYTES ? this.memory.readUIntLE(this.#start, 3) : 0;
  }

  add(chunk: Buffer): void {
    const held = this.#end - this.#start;
    if (this.#end + chunk.length > this.memory.length) {
      const wanted = Math.max(held + chunk.length, this.announced + HEAD_BYTES);
      const size = wanted <= BUFFER_BYTES ? BUFFER_BYTES : Math.ceil(wanted / MIB) * MIB;
      const target = size === this.memory.length ? this.memory : Buffer.allocUnsafeSlow(size);
      this.memory.copy(target, 0, this.#start, this.#end);
      this.memory = target;
      this.#start = 0;
      this.#end = held;
    }
    chunk.copy(this.memory, this.#end);
    this.#end += chunk.length;
  }

  /** Whether there is a whole packet; then its body is `memory[from .. to)`. */
  next(): boolean {
    const { memory } = this;
    const start = this.#start;
    const from = start + HEAD_BYTES;
    if (from > this.#end) return false;
    const to = from + (memory[start]! | (memory[start + 1]! << 8) | (memory[start + 2]! << 16));
    if (to > this.#end) return false;
    this.sequence = memory[start + 3]!;
    this.from = from;
    this.to = this.#start = to;
    return true;
  }
}
