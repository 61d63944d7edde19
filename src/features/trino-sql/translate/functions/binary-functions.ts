// Functions between texts and their bytes.

import { Refusal, unsupported } from "../../refusal.ts";
import type { Expression } from "../../parse/tree.ts";
import { simple, VARCHAR } from "../../trino-types.ts";
import { mismatch, textLiteral } from "../typed.ts";
import type { Function } from "./function.ts";

const VARBINARY = simple("varbinary");

/** The digits of bytes that the statement has in its words, as `X'6162'` or `from_hex('6162')`. */
function hexOf(of: Expression): string | undefined {
  if (of.kind === "binary") return of.text;
  const [digits] = of.kind === "call" && of.name === "from_hex" ? of.args : [];
  return digits?.kind === "string" ? digits.text : undefined;
}

const fromHex: Function = {
  counts: [1],
  make: ({ call, at }) => {
    const [of] = call.args;
    if (of!.kind !== "string") throw unsupported("from_hex of a text that is computed", of!.at);
    if (!/^([0-9A-Fa-f]{2})*$/.test(of!.text))
      throw new Refusal("GENERIC_USER_ERROR", `'${of!.text}' is not a hexadecimal text`, of!.at);
    return { sql: `from_hex('${of!.text}')`, type: VARBINARY, at };
  },
};

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));

function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Trino puts another character where bytes are no UTF-8, and how many is its own. */
const fromUtf8: Function = {
  counts: [1],
  make: ({ call, at }) => {
    const hex = hexOf(call.args[0]!);
    if (hex === undefined) throw unsupported("from_utf8 of bytes that are computed", call.args[0]!.at);
    const text = textOfBytes(bytesOf(hex));
    if (text === undefined || text.includes("\0"))
      throw unsupported("from_utf8 of bytes that are zero or no UTF-8", call.args[0]!.at);
    return { sql: textLiteral(text), type: VARCHAR, at, constant: text };
  },
};

const toUtf8: Function = {
  counts: [1],
  make: ({ args: [of], at }) => {
    if (of!.type.kind !== "varchar") throw mismatch("to_utf8 is of texts", of!.at);
    return { sql: `encode(${of!.sql})`, type: VARBINARY, at };
  },
};

const toHex: Function = {
  counts: [1],
  make: ({ args: [of], at }) => {
    if (of!.type.kind !== "varbinary") throw mismatch("to_hex is of bytes", of!.at);
    return { sql: `hex(${of!.sql})`, type: VARCHAR, at };
  },
};

export const BINARY_FUNCTIONS: Record<string, Function> = {
  from_hex: fromHex,
  from_utf8: fromUtf8,
  to_utf8: toUtf8,
  to_hex: toHex,
};
