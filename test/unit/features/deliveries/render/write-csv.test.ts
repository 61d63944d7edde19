import { expect, it } from "vitest";
import { RENDER_BOUNDS } from "../../../../../src/features/deliveries/render/bounds.ts";
import { writeCsv } from "../../../../../src/features/deliveries/render/files/csv.ts";
import { aResult } from "../../../../support/unit/deliveries/a-result.ts";

const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

it("quotes what RFC 4180 asks for, and tells NULL from an empty text", () => {
  const table = aResult({ a: "text", 'b"': "text" }, [
    ["x,y", 'say "hi"'],
    [null, ""],
    ["two\r\nlines", "æ"],
  ]);
  expect(textOf(writeCsv(table))).toBe('a,"b"""\r\n"x,y","say ""hi"""\r\n,""\r\n"two\r\nlines",æ\r\n');
});

it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", '=HYPERLINK("http://x")'])(
  "disarms the formula %j",
  (formula) => {
    const cell = /["\r,]/.test(formula) ? `"'${formula.replaceAll('"', '""')}"` : `'${formula}`;
    const table = aResult({ [formula]: "text", j: "json" }, [[formula, null]]);
    expect(textOf(writeCsv(table))).toBe(`${cell},j\r\n${cell},\r\n`);
  },
);

it("leaves the numbers of numeric columns as they are", () => {
  const table = aResult({ i: "integer", b: "bigint", d: "decimal", f: "float", t: "boolean" }, [
    [-1, -(2n ** 70n), "-0.50", -Infinity, false],
    [1, 1n, "=1+1", 1e-7, true],
  ]);
  expect(textOf(writeCsv(table))).toBe(
    "i,b,d,f,t\r\n-1,-1180591620717411303424,-0.50,-Infinity,false\r\n1,1,'=1+1,1e-7,true\r\n",
  );
});

it("refuses a file past its bound before it fills the memory", () => {
  const cell = "x".repeat(1024 * 1024);
  const table = { ...aResult({ a: "text" }, []), rowCount: 1_000_000, cell: () => cell };
  expect(() => writeCsv(table)).toThrow(expect.objectContaining({ reason: "too_large" }));
  expect(RENDER_BOUNDS.fileBytesMax).toBe(16 * 1024 * 1024);
});

it("refuses one row past its bound before it fills the memory", () => {
  const cell = "x".repeat(1024 * 1024);
  const names = Array.from({ length: 10_000 }, (_, at) => [`c${at}`, "text" as const] as const);
  const table = { ...aResult(Object.fromEntries(names), []), rowCount: 1, cell: () => cell };
  expect(() => writeCsv(table)).toThrow(expect.objectContaining({ reason: "too_large" }));
});
