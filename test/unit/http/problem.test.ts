import { afterEach, describe, expect, it, vi } from "vitest";
import { Problem } from "../../../src/core/problem.ts";
import { createApp } from "../../../src/http/router.ts";

const answerTo = async (error: unknown) => {
  const app = createApp();
  app.get("/fails", () => {
    throw error;
  });
  const response = await app.request("/fails");
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const silenced = () => vi.spyOn(console, "error").mockImplementation(() => {});
afterEach(() => vi.restoreAllMocks());

describe("a bug", () => {
  it("is 500 with a request id to quote, and its reasons go to the log alone", async () => {
    const log = silenced();
    const { status, headers, text } = await answerTo(new Error("canary in /home/fjord/secret.ts"));
    const body = JSON.parse(text);
    expect(status).toBe(500);
    expect(body).toMatchObject({
      success: false,
      error: { code: "internal_error", title: "Internal Error", status: 500, retryable: true },
    });
    expect(headers.get("retry-after")).toMatch(/^\d+$/);
    expect(text).not.toContain("canary");
    expect(String(log.mock.calls)).toContain("canary");
    expect(String(log.mock.calls)).toContain(body.meta.requestId);
  });

  it("in a statement is logged without the statement's parameters", async () => {
    const log = silenced();
    const failed = new Error("Failed query: insert into users\nparams: canary", {
      cause: new Error("D1_ERROR: no such table: users"),
    });
    await answerTo(failed);
    expect(String(log.mock.calls)).toContain("no such table");
    expect(String(log.mock.calls)).not.toContain("canary");
  });
});

describe("a problem", () => {
  it("is recognised by its shape, as one thrown by a Durable Object arrives", async () => {
    const foreign = Object.assign(new Error("It is gone."), { name: "Problem", code: "resource_not_found", flaws: [] });
    const { status, text } = await answerTo(foreign);
    expect([status, JSON.parse(text).message]).toEqual([404, "It is gone."]);
  });

  const one = [{ pointer: "/name", message: "Too long." }];
  it.each([
    [
      "says its only flaw in its message",
      new Problem("validation_failed", "One or more fields are not valid.", one),
      "/name: Too long.",
    ],
    [
      "keeps what it says of its only flaw",
      new Problem("validation_failed", "The name is wrong. Too long.", one),
      "/name: The name is wrong. Too long.",
    ],
    [
      "of several says that there are several",
      new Problem("validation_failed", "One or more fields are not valid.", [...one, ...one]),
      "One or more fields are not valid.",
    ],
    [
      "of the body as a whole has no pointer to say",
      new Problem("invalid_request", "x", [{ pointer: "", message: "This is not JSON." }]),
      "This is not JSON.",
    ],
    [
      "of another code says what it says",
      new Problem("invalid_path", "Path cannot be empty", [{ pointer: "/path", message: "y" }]),
      "Path cannot be empty",
    ],
  ])("%s", async (_, problem, message) => expect(JSON.parse((await answerTo(problem)).text).message).toBe(message));

  it("that may pass says when to try again", async () => {
    silenced();
    const { status, headers, text } = await answerTo(new Problem("engine_unavailable", "All engines are busy."));
    expect([status, JSON.parse(text).error.retryable, JSON.parse(text).message]).toEqual([
      503,
      true,
      "All engines are busy.",
    ]);
    expect(headers.has("retry-after")).toBe(true);
  });
});
