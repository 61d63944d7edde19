// The messages between the engine and its compile process: JSON texts, each behind its length.

import type { CompiledModel, SqlDialect } from "../../../../../kernel/semantic/model.ts";
import type { SemanticQuery, SemanticSql } from "../../../../../kernel/semantic/query.ts";

/** `model` is the JSON of a SemanticModel, and `key` names it: a model that is known is not read again. */
export type CompileOrder =
  | { do: "model"; key: string; model: string }
  | { do: "sql"; key: string; model: string; dialect: SqlDialect; query: SemanticQuery };

/** `refused`: the model or the query is at fault, in words for whoever wrote it. `broken`: the compiler is. */
export type CompileAnswer =
  | { ready: true }
  | { model: CompiledModel }
  | { sql: SemanticSql }
  | { refused: string }
  | { broken: string };

const LENGTH_BYTES = 4;
/** Bytes of one message: the meta of the largest model. */
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;

export function encodeMessage(message: CompileOrder | CompileAnswer): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text]);
}

/** Cuts a stream of bytes into messages. Throws for one that is longer than any may be, or no JSON. */
export class MessageReader {
  #pieces: Buffer[] = [];
  #bytes = 0;

  *read(piece: Buffer): Generator<unknown> {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    while (this.#bytes >= LENGTH_BYTES) {
      if (this.#pieces[0]!.length < LENGTH_BYTES) this.#pieces = [Buffer.concat(this.#pieces)];
      const end = LENGTH_BYTES + this.#pieces[0]!.readUInt32LE();
      if (end > MESSAGE_BYTES_MAX) throw new RangeError("A message is longer than any may be.");
      if (this.#bytes < end) return;
      const all = Buffer.concat(this.#pieces);
      this.#pieces = [all.subarray(end)];
      this.#bytes -= end;
      yield JSON.parse(all.toString("utf8", LENGTH_BYTES, end));
    }
  }
}
