// The refusals every operation owes its callers; each operation's suite opens with this.

import { describe, expect, it } from "vitest";
import type { Right } from "../../../src/core/scope.ts";
import type { Answer } from "./http.ts";
import { newTeam } from "./team.ts";

/** Rights a member holds, so that nobody with a key lacks them. */
const MEMBERS_RIGHTS: Right[] = [
  "query",
  "catalog:read",
  "integrations:read",
  "drive",
  "docs:read",
  "docs:run",
  "store",
  "messages:send",
  "secrets:read",
  "jobs:read",
  "queries:write",
  "messages:send",
];

/** How a caller is refused whom nobody knows. */
const UNKNOWN = { status: 401, body: { error: { code: "auth_invalid_token" } } };

/**
 * `call` sends the operation with the key it is given. `right` is what the operation asks for: a caller without it gets
 * 403.
 * `refusal` is how the operation refuses a key that nobody holds.
 * Another team's ids are covered for every operation at once by the isolation suite.
 */
export function refusesStrangers(
  operation: string,
  call: (key: string | undefined) => Promise<Answer>,
  { right, refusal = UNKNOWN }: { right: Right; refusal?: { status: number; body: object } },
): void {
  describe(`${operation} refuses`, () => {
    it("a call without a key", async () => {
      expect(await call(undefined)).toMatchObject(refusal);
    });

    it("a key that nobody holds", async () => {
      const { admin } = await newTeam();
      expect(await call(`${admin.id}-${"A".repeat(32)}`)).toMatchObject(refusal);
    });

    if (MEMBERS_RIGHTS.includes(right)) return;
    it(`a key without the right ${right}`, async () => {
      const { admin, member } = await newTeam();
      const key = right === "platform:operate" ? admin.key : member.key;
      expect(await call(key)).toMatchObject({
        status: 403,
        body: { error: { code: "forbidden_insufficient_permissions" } },
      });
    });
  });
}
