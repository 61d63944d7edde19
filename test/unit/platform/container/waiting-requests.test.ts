// Requests that wait for their program are cancelled by the path that the program would be asked by.

import { expect, it } from "vitest";
import { CANCEL_PATH_HEADER, Cancelled, WaitingRequests } from "../../../../src/platform/container/waiting-requests.ts";

const request = (path?: string) =>
  new Request("http://engine/statements", path === undefined ? {} : { headers: { [CANCEL_PATH_HEADER]: path } });

it("cancels a request by its own path, or by one that names no sender, and no other", async () => {
  const waiting = new WaitingRequests();
  for (const path of ["/statements/a?sender=ada", "/statements/a"]) {
    const [mine, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const cancelled = expect(waiting.wait(request("/statements/a?sender=ada"), mine.promise)).rejects.toThrow(
      Cancelled,
    );
    const kept = waiting.wait(request("/statements/ab?sender=ada"), others.promise);
    expect(waiting.cancel("/statements/a?sender=eve")).toBe(false);
    expect(waiting.cancel(path)).toBe(true);
    await cancelled;
    expect(waiting.cancel(path)).toBe(false);
    others.resolve();
    await kept;
  }
});

it("knows a request no more once its program takes it, or can't be started", async () => {
  const waiting = new WaitingRequests();
  await waiting.wait(request("/statements/a"), Promise.resolve());
  expect(waiting.cancel("/statements/a")).toBe(false);
  const failed = waiting.wait(request("/statements/a"), Promise.reject(new Error("no room")));
  await expect(failed).rejects.toThrow("no room");
  expect(waiting.cancel("/statements/a")).toBe(false);
  await waiting.wait(request(), Promise.resolve());
});

it("cancels both of two that wait under one name", async () => {
  const waiting = new WaitingRequests();
  const never = new Promise<void>(() => undefined);
  const waits = [1, 2].map(() => waiting.wait(request("/statements/a"), never));
  expect(waiting.cancel("/statements/a")).toBe(true);
  expect((await Promise.allSettled(waits)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
