import { describe, expect, it } from "vitest";
import { REQUEST_LIMITS } from "../../../src/http/request/limits.ts";
import { call } from "../../support/unit/http.ts";
import { newTeam } from "../../support/unit/team.ts";

const JSON_TYPE = { "content-type": "application/json" };

const post = async (raw: BodyInit, headers: Record<string, string> = JSON_TYPE) => {
  const { admin } = await newTeam();
  return call("POST", "/v4/users", { key: admin.key, raw, headers });
};

const pointers = (body: { error: { flaws: { pointer: string }[] } }) =>
  body.error.flaws.map(({ pointer }) => pointer).sort();

describe("a body", () => {
  it.each(["{oops", "", '{"a":1}}', "[".repeat(100_000)])("that is broken JSON is 422: %.20j", async (raw) => {
    const { status, body } = await post(raw);
    expect(status).toBe(422);
    expect(body.error).toMatchObject({
      code: "validation_failed",
      title: "Validation Failed",
      flaws: [{ pointer: "", message: "This is not valid JSON." }],
    });
  });

  it.each([
    [
      "members",
      `{"name": "a", "data": {${Array.from({ length: REQUEST_LIMITS.bodyValuesMax }, (_, n) => `"${n}":1`).join()}}}`,
    ],
    [
      "lists in lists",
      `{"name": ${"[".repeat(REQUEST_LIMITS.bodyValuesMax + 1)}${"]".repeat(REQUEST_LIMITS.bodyValuesMax + 1)}}`,
    ],
  ])("of more values than may be checked is 422 before any of them is: %s", async (_, raw) => {
    const { status, body } = await post(raw);
    expect([status, body.error.flaws]).toEqual([422, [{ pointer: "", message: "It holds too many values." }]]);
  });

  it("tells of some flaws where all of its values are wrong", async () => {
    const { admin } = await newTeam();
    const raw = `{"name": "a", "data": {${Array.from({ length: REQUEST_LIMITS.bodyValuesMax - 10 }, (_, n) => `"${n}":1`).join()}}}`;
    const { status, body } = await call("POST", "/v1/store", { key: admin.key, raw, headers: JSON_TYPE });
    expect([status, body.error.flaws.length]).toEqual([422, REQUEST_LIMITS.flawsReportedMax]);
  });

  it("may be one long text with whatever signs in it", async () => {
    const { admin } = await newTeam();
    const data = { text: `,[{"\\`.repeat(60_000) };
    expect((await call("POST", "/v1/store", { key: admin.key, body: { name: "signs", data } })).status).toBe(200);
    expect((await call("GET", "/v1/store/signs", { key: admin.key })).body.data).toEqual(data);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/xml", "multipart/form-data; boundary=x"])(
    "of type %s is 415",
    async (type) => {
      const { status, body } = await post("{}", { "content-type": type });
      expect([status, body.error.code]).toEqual([415, "unsupported_media_type"]);
    },
  );

  it("without a type is 415", async () => {
    const bytes = new TextEncoder().encode("{}");
    expect((await post(bytes, {})).status).toBe(415);
  });

  it("with a charset is taken", async () => {
    const raw = JSON.stringify({ name: "Grace", email: "grace@example.com", role: "member" });
    expect((await post(raw, { "content-type": "application/json; charset=utf-8" })).status).toBe(201);
  });

  it.each([
    ["another charset", { "content-type": "application/json; charset=utf-16" }],
    ["a compression", { ...JSON_TYPE, "content-encoding": "gzip" }],
  ])("in %s is 415", async (_, headers) => {
    expect((await post("{}", headers)).status).toBe(415);
  });

  it("that is not valid UTF-8 is 422, and never read as something else", async () => {
    const bytes = new TextEncoder().encode('{"name": "G?", "email": "g@example.com", "role": "member"}');
    bytes[bytes.indexOf(0x3f)] = 0xff;
    const { status, body } = await post(bytes);
    expect([status, pointers(body)]).toEqual([422, [""]]);
  });

  it("beyond the limit is 413 by its stated length", async () => {
    const { status, body } = await post("x".repeat(REQUEST_LIMITS.bodyBytesMax + 1));
    expect([status, body.error.code]).toEqual([413, "body_too_large"]);
  });

  it("beyond the limit is 413 without a stated length, and is not read to its end", async () => {
    const piece = new Uint8Array(256 * 1024).fill(0x20);
    let pieces = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pieces++;
        if (pieces > 1_000) controller.close();
        else controller.enqueue(piece);
      },
    });
    const { status } = await post(endless);
    expect(status).toBe(413);
    expect(pieces).toBeLessThan(100);
  });

  it("within the limit is taken without a stated length", async () => {
    const text = JSON.stringify({ name: "Grace", email: "grace@example.com", role: "member" });
    const stream = new Blob([text.slice(0, 10), text.slice(10)]).stream();
    expect((await post(stream)).status).toBe(201);
  });

  it("names every flaw at once, unknown fields at their own pointer", async () => {
    const { status, body } = await post(JSON.stringify({ name: "", email: "nobody", "a/b~c": 1, is_operator: true }));
    expect(status).toBe(422);
    expect(pointers(body)).toEqual(["/a~1b~0c", "/email", "/is_operator", "/name", "/role"]);
  });

  it.each([
    ["an array", "[]"],
    ["null", "null"],
    ["a string", '"x"'],
  ])("that is %s is 422 at the root", async (_, raw) => {
    const { status, body } = await post(raw);
    expect([status, pointers(body)]).toEqual([422, [""]]);
  });

  it("cannot reach a prototype", async () => {
    const { status, body } = await post(
      '{"name":"x","email":"x@example.com","role":"member","__proto__":{"is_operator":true}}',
    );
    expect([status, pointers(body)]).toEqual([422, ["/__proto__"]]);
  });
});

describe("a query", () => {
  const get = async (query: string) => {
    const { admin } = await newTeam();
    return call("GET", `/v4/users?${query}`, { key: admin.key });
  };

  it.each([
    "limit=0",
    "limit=251",
    "limit=1e1",
    "limit=",
    "limit=1&limit=2",
    "limit=-1",
    "limit=1.5",
    "offset=-1",
    "offset=99999999999999999999",
  ])("outside its bounds is 422: %s", async (query) => {
    const { status, body } = await get(query);
    expect([status, pointers(body)]).toEqual([422, [`/query/${query.split("=")[0]}`]]);
  });

  it("names every flaw at once, unknown parameters too", async () => {
    const { status, body } = await get("limit=0&offset=x&sort=name");
    expect([status, pointers(body)]).toEqual([422, ["/query/limit", "/query/offset", "/query/sort"]]);
  });

  it("is refused by an operation that knows none", async () => {
    const { admin } = await newTeam();
    const { status, body } = await call("GET", "/v4/me?verbose=1", { key: admin.key });
    expect([status, pointers(body)]).toEqual([422, ["/query/verbose"]]);
  });
});
