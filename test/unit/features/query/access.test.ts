// What the engine is told of a caller's roles with a statement on a source.

import { beforeAll, describe, expect, it } from "vitest";
import { ENGINE_FAILURES, type EngineFailureCode } from "../../../../kernel/wire/failures.ts";
import { ENGINE_HEADER, PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import { StatementRequest } from "../../../../kernel/wire/engine.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { addRole, setAttributes } from "../../../support/unit/data-access/roles.ts";
import { addPostgres } from "../../../support/unit/databases.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
let postgres: string;
beforeAll(async () => {
  team = await newTeam();
  postgres = await addPostgres(team);
});

/** An engine that remembers what it is sent, knows of no roles, and runs nothing. */
function forgetfulEngine(code: EngineFailureCode = "access_unknown") {
  const sent: StatementRequest[] = [];
  const accesses = () => sent.map(({ target }) => (target.kind === "source" ? target.access : "lake"));
  const fetch = async (...request: ConstructorParameters<typeof Request>) => {
    const statement = StatementRequest.parse(await new Request(...request).json());
    sent.push(statement);
    const { target } = statement;
    const isUnknown = target.kind === "source" && target.access !== "everything" && !target.access.roles;
    const failure = isUnknown ? code : "sql_error";
    const headers = { [ENGINE_HEADER]: String(PROTOCOL) };
    return Response.json({ code: failure, message: "As asked." }, { status: ENGINE_FAILURES[failure], headers });
  };
  const object = { fetch, askOfStatement: async () => undefined };
  return { accesses, bindings: { ENGINE: { getByName: () => object } } as never };
}

const run = (engine: ReturnType<typeof forgetfulEngine>, key: string) =>
  callWith(engine.bindings, "POST", "/v1/query", { key, body: { sql: "select 1", integration_id: postgres } });

describe("a statement on a source", () => {
  it("says that everything may be read as long as there are no roles", async () => {
    const engine = forgetfulEngine();
    expect((await run(engine, team.member.key)).status).toBe(400);
    expect(engine.accesses()).toEqual(["everything"]);
  });

  it("names a member's roles by their digest, and brings them where the engine does not know them", async () => {
    const filters = [{ member: "region", operator: "equals" as const, values: [{ attribute: "region" }] }];
    await addRole(team, [{ integration_id: postgres, schema: "public", filters }], [team.member.id]);
    await setAttributes(team, team.member.id, { region: "north" });
    const engine = forgetfulEngine();
    expect((await run(engine, team.member.key)).status).toBe(400);
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    const granted = [{ member: "region", operator: "equals", values: ["north"] }];
    const role = [{ schema: "public", table: "*", excludes: [], masks: {}, filters: granted }];
    expect(engine.accesses()).toEqual([{ digest }, { digest, roles: [role] }]);
  });

  it("brings them once, and for no other failure", async () => {
    const engine = forgetfulEngine("forbidden");
    expect((await run(engine, team.member.key)).status).toBe(403);
    expect(engine.accesses()).toHaveLength(1);
  });

  it("says so for an admin, whatever roles there are", async () => {
    const engine = forgetfulEngine();
    await run(engine, team.admin.key);
    expect(engine.accesses()).toEqual(["everything"]);
  });
});
