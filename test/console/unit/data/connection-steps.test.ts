// Where a connection has failed, as the wizard shows it.

import { expect, it } from "vitest";
import { reasonOf, stepsOf } from "../../../../src/console/screens/integrations/connection-steps.ts";

const failed = (message: string) => ({ code: "connection_failed", flaws: [{ pointer: "/credentials/x", message }] });

it("names the step that failed, takes those before it for passed, and says nothing of those behind it", () => {
  const states = stepsOf(reasonOf(failed("authentication: the server refused the password")));
  expect(states.map(({ state }) => state)).toEqual(["passed", "passed", "passed", "failed", "unknown"]);
  expect(stepsOf(reasonOf(failed("dns: nobody knows the name")))[0]).toEqual({ step: "name", state: "failed" });
});

it("claims no step where the reason is none that it knows", () => {
  expect(stepsOf(reasonOf(failed("something else")))).not.toContainEqual(expect.objectContaining({ state: "passed" }));
});

it("does not take another failure for one of the connection", () => {
  expect(reasonOf({ code: "validation_failed", flaws: [{ pointer: "/name", message: "dns: x" }] })).toBeUndefined();
});
