import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBase64, fromBase64url, toBase64, toBase64url, toHex } from "../../../src/core/encoding.ts";

describe("base64 and base64url", () => {
  it("bring any bytes back", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect([fromBase64(toBase64(bytes)), fromBase64url(toBase64url(bytes))]).toEqual([bytes, bytes]);
        expect(toBase64url(bytes)).toMatch(/^[\w-]*$/);
      }),
    );
  });

  it.each(["*", "a", "a b=c"])("answer nothing for what is neither: %j", (text) => {
    expect([fromBase64(text), fromBase64url(text)]).toEqual([undefined, undefined]);
  });

  it("are not one another's: only base64url takes both alphabets", () => {
    expect([fromBase64("-_-_"), fromBase64url("-_-_"), fromBase64url("+/+/")]).toEqual([
      undefined,
      fromBase64("+/+/"),
      fromBase64("+/+/"),
    ]);
  });
});

it("writes bytes in hexadecimal, two digits each", () => {
  expect(toHex(new Uint8Array([0, 10, 255]))).toBe("000aff");
});
