// What a webhook's body may be, without a sandbox: JSON as it streams by, and the names of variables.

import { describe, expect, it } from "vitest";
import { checkEnvironment } from "../../../kernel/text/environment-names.ts";
import { ObjectScanner } from "../../../containers/sandbox/envelope/object-scanner.ts";

describe("ObjectScanner", () => {
  const scan = (document: string, size: number) => {
    const members: Record<string, string> = {};
    const decoder = new TextDecoder();
    const reader = new ObjectScanner((name) => {
      members[name] = "";
      return (piece) => void (members[name] += decoder.decode(piece, { stream: true }));
    });
    const bytes = Buffer.from(document);
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    reader.end();
    return members;
  };

  it.each([1, 2, 3, 7, 1000])("finds the same members however the document is cut: in pieces of %i", (size) => {
    const values = ['"a\\"b\\\\"', "-0.5e+10", '[1, {"b": []}, null]', '{"x": "}"}', "true", "0", '"ü✓😀"', "{}"];
    const document = ` { ${values.map((value, at) => `"k${at}" : ${value}${" ".repeat(at % 3)}`).join(" ,\n")} } `;
    expect(scan(document, size)).toEqual(Object.fromEntries(values.map((value, at) => [`k${at}`, value])));
  });

  it("takes what JSON.parse takes, and refuses what it refuses", () => {
    const documents = [
      '{"a":1}',
      '{"a":1,}',
      '{"a":[1,]}',
      '{"a":1.}',
      '{"a":.5}',
      '{"a":1e}',
      '{"a":1e5}',
      '{"a":-}',
      '{"a":+1}',
      '{"a":tru}',
      '{"a":nul l}',
      '{"a":"\t"}',
      '{"a":"\\x"}',
      '{"a":"\\u12g4"}',
      '{"a" 1}',
      "{a:1}",
      '{"a":1 "b":2}',
      '{"a":[}',
      '{"a":{]}',
      '{"a":1}}',
      '{"":""}',
      '{"a":00}',
      '{"a":0.0}',
      '{"a":[[],[{}]]}',
      "{,}",
      '{"a":1e+}',
      '{"a":"\\',
      "{",
    ];
    for (const document of documents) {
      const accepts = (work: () => unknown) => {
        try {
          work();
          return true;
        } catch {
          return false;
        }
      };
      expect([document, accepts(() => scan(document, 2))]).toEqual([document, accepts(() => JSON.parse(document))]);
    }
  });
});

describe("names of variables", () => {
  it.each([
    "LD_PRELOAD",
    "PATH",
    "PYTHONPATH",
    "SERVICE_API_KEY",
    "DEFINITE_API_BASE_URL",
    "WEBHOOK_DATA_FILE",
    "HTTPS_PROXY",
    "no_proxy",
    "BASH_ENV",
    "HOME",
    "OPENSSL_CONF",
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
  ])("are not taken: %s", (name) => expect(checkEnvironment({ [name]: "x" })).toHaveLength(1));
  it.each(["a\0b", "\ud800"])("have text for values, and not %j", (value) =>
    expect(checkEnvironment({ REGION: value })).toHaveLength(1),
  );
  it.each(["REGION", "_x", "MY_PATH", "API_KEY"])("are taken: %s", (name) =>
    expect(checkEnvironment({ [name]: "x" })).toEqual([]),
  );
});
