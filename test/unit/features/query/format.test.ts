import { describe, expect, it } from "vitest";
import { chooseFormat } from "../../../../src/features/query/format.ts";

describe("chooseFormat", () => {
  it.each([
    [undefined, "json"],
    ["*/*", "json"],
    ["application/*", "json"],
    ["application/json, text/plain, */*", "json"],
    ["text/csv", "csv"],
    ["TEXT/CSV; charset=utf-8", "csv"],
    ["text/*", "csv"],
    ["application/x-ndjson", "ndjson"],
    ["application/vnd.apache.arrow.stream", "arrow"],
    ["application/vnd.apache.parquet", "parquet"],
    ["text/html, text/csv;q=0.5, */*;q=0.1", "csv"],
    ["application/json;q=0.2, application/x-ndjson;q=0.9", "ndjson"],
    ["application/json;q=0, */*", "csv"],
  ])("reads %s as %s", (accept, format) => expect(chooseFormat(accept)).toBe(format));

  it.each(["text/html", "application/json;q=0", "", "nonsense"])("refuses %j, and names what there is", (accept) => {
    expect(() => chooseFormat(accept)).toThrow("application/vnd.apache.arrow.stream");
  });
});
