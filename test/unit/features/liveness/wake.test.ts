import { describe, expect, it, vi } from "vitest";
import { post } from "../../../support/unit/call-with.ts";
import { newTeam } from "../../../support/unit/team.ts";

vi.spyOn(console, "error").mockImplementation(() => {});

/** Programs that note whose were woken; `wake` is what becomes of it. */
function programs(wake: () => Promise<void> = async () => undefined) {
  const woken: string[] = [];
  const namespace = (name: string) => ({
    getByName: (teamId: string) => ({
      wake() {
        woken.push(`${name} of ${teamId}`);
        return wake();
      },
    }),
  });
  return { woken, bindings: { ENGINE: namespace("engine"), SANDBOX: namespace("sandbox") } as unknown as Partial<Env> };
}

const tokenFor = (teamId: string) => ({ use: "wake" as const, teamId, expiresAt: Date.now() + 60_000 });

describe("POST /internal/wake", () => {
  it.each(["engine", "sandbox"])("starts the %s of the token's team, and nothing else", async (program) => {
    const { id } = await newTeam();
    const { woken, bindings } = programs();
    const answer = await post("/wake", { token: tokenFor(id), body: { program }, bindings });
    expect(answer).toEqual({ status: 204, body: undefined });
    expect(woken).toEqual([`${program} of ${id}`]);
  });

  it("starts nothing for a team that is not there, nor for what else is sent", async () => {
    const { id } = await newTeam();
    const { woken, bindings } = programs();
    const unknown = await post("/wake", {
      token: tokenFor(crypto.randomUUID()),
      body: { program: "engine" },
      bindings,
    });
    expect(unknown.status).toBe(401);
    for (const body of [{}, { program: "clock" }, { program: "engine", teamId: "other" }])
      expect((await post("/wake", { token: tokenFor(id), body, bindings })).status).toBe(422);
    expect(woken).toEqual([]);
  });

  it("says that one is unavailable which does not start", async () => {
    const { id } = await newTeam();
    const { bindings } = programs(() => Promise.reject(new Error("no container instance")));
    const { status, body } = await post("/wake", { token: tokenFor(id), body: { program: "sandbox" }, bindings });
    expect(status).toBe(503);
    expect(body).toMatchObject({ success: false });
  });
});
