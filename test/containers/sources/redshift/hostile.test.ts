// What a server may say that is no Redshift: proofs that are asked for in ways they can't be, values of other forms
// than their types; and a catalog with tables of every kind.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerDigest } from "../../../../containers/engine/sources/postgres/connection/digest-password.ts";
import { BUFFER_PREFIX } from "../../../../containers/engine/sources/postgres/connection/wire.ts";
import { createRowReader } from "../../../../containers/engine/sources/postgres/rows/row-reader.ts";
import type { Shape } from "../../../../containers/engine/sources/postgres/rows/column-types.ts";
import { redshift } from "../../../../containers/engine/sources/redshift/connector.ts";
import { FakeRedshift } from "../../../support/node/sources/redshift/fake-redshift.ts";
import { ownPostgres } from "../../../support/node/sources/sources.ts";

const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

describe("a proof by digest", () => {
  const salt = Buffer.from("salt");
  const request = (...parts: Buffer[]) => Buffer.concat(parts);
  it("is given to a request that is whole, and differs each time", () => {
    const whole = request(int(0), int(4), salt, int(2), Buffer.from("no"));
    const [first, second] = [answerDigest(whole, 0, "canary"), answerDigest(whole, 0, "canary")];
    expect(first.length).toBe(1 + 4 + 4 + 32 + 4 + 16);
    expect(first.equals(second)).toBe(false);
    expect(first.includes("canary")).toBe(false);
  });

  it.each<[string, Buffer]>([
    ["nothing", Buffer.alloc(0)],
    ["another algorithm", request(int(1), int(4), salt, int(0))],
    ["a salt without its length", request(int(0))],
    ["a salt that is longer than the message", request(int(0), int(5), salt)],
    ["a salt of a negative length", request(int(0), int(-1), salt, int(0))],
    ["a salt of the largest length", request(int(0), int(0x7fff_ffff), salt, int(0))],
    ["a nonce that is longer than the message", request(int(0), int(4), salt, int(9), salt)],
    ["no nonce", request(int(0), int(4), salt)],
  ])("is refused to %s", (_what, bytes) => {
    expect(() => answerDigest(bytes, 0, "canary")).toThrow(/protocol|not supported/);
  });
});

describe("a value", () => {
  const read = (shape: Shape, cell: Buffer) => {
    const body = Buffer.concat([BUFFER_PREFIX, Buffer.from([0, 1]), int(cell.length), cell]);
    const row = createRowReader([shape])(body, BUFFER_PREFIX.length, body.length);
    return Buffer.from(row.bytes).toString("utf8", row.starts[0], row.ends[0]);
  };

  it("that is a float of other bytes than its type has is refused", () => {
    expect(read({ kind: "float", form: "float4" }, Buffer.from([0x3f, 0x80, 0, 0]))).toBe("1");
    for (const [form, length] of [
      ["float4", 3],
      ["float4", 8],
      ["float8", 4],
      ["float8", 0],
    ] as const)
      expect(() => read({ kind: "float", form }, Buffer.alloc(length))).toThrow(/another length than its type/);
  });

  it("that is no hexadecimal text is refused where bytes come so", () => {
    expect(read({ kind: "binary", form: "hex" }, Buffer.from("00FFff"))).toBe("AP//");
    for (const text of ["0", "0g", "\\x00", "00 0"])
      expect(() => read({ kind: "binary", form: "hex" }, Buffer.from(text))).toThrow(/bytes are none/);
  });

  it("that is a REAL reads back as itself, whatever its bits", () => {
    const floats = new Float32Array(2_000);
    crypto.getRandomValues(new Uint8Array(floats.buffer));
    for (const value of floats) {
      const bytes = Buffer.alloc(4);
      bytes.writeFloatBE(value);
      const text = read({ kind: "float", form: "float4" }, bytes);
      expect(Object.is(Math.fround(Number(text)), value)).toBe(true);
    }
  });
});

describe("a catalog", () => {
  let fake: FakeRedshift;
  beforeAll(async () => {
    fake = await FakeRedshift.start(ownPostgres());
  });
  afterAll(() => fake.close());

  it("lists external tables and materialized views as what they are, without the tables these lie in", async () => {
    await fake.admin.query(`
      CREATE SCHEMA shop; CREATE SCHEMA lake_s3;
      CREATE TABLE shop.mv_tbl__sums__0 (n int); CREATE VIEW shop.sums AS SELECT n FROM shop.mv_tbl__sums__0;
      CREATE VIEW shop.plain AS SELECT 1 AS n;
      CREATE FOREIGN DATA WRAPPER spectrum; CREATE SERVER s3 FOREIGN DATA WRAPPER spectrum;
      CREATE FOREIGN TABLE lake_s3.events (id bigint, price decimal(10,2)) SERVER s3`);
    const { schemas } = await redshift.introspect(fake.source(), new AbortController().signal);
    expect(schemas.map(({ name, tables }) => [name, tables.map(({ name, kind }) => [name, kind])])).toEqual([
      ["lake_s3", [["events", "foreign"]]],
      [
        "shop",
        [
          ["plain", "view"],
          ["sums", "materialized"],
        ],
      ],
    ]);
    expect(schemas[0]!.tables[0]!.columns.map(({ type }) => type)).toEqual(["bigint", "numeric(10,2)"]);
  });
});
