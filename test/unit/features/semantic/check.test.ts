// A model is checked as it would be saved, and nothing of it is kept.

import { beforeAll, describe, expect, it } from "vitest";
import {
  addCube,
  cubeFile,
  modelPath,
  newCompiler,
  storedOf,
  type File,
} from "../../../support/unit/semantic/models.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
beforeAll(async () => void (team = await newTeam()));

const check = (compiler: ReturnType<typeof newCompiler>, id: string, files: readonly File[]) =>
  compiler.ask("POST", modelPath(id, "/check"), team.admin.key, { files });

describe("checkSemanticModel", () => {
  it("finds no flaw in what can be saved, answers its warnings, and keeps nothing", async () => {
    const id = await addCube(team);
    const { status, body } = await check(newCompiler(), id, [cubeFile("orders")]);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      flaws: [],
      warnings: ["orders: The lake Lake has no table sample.orders now."],
    });
    expect(await storedOf(id)).toEqual({ versions: [], files: [], definitions: [] });
  });

  it("answers the flaws of files at their places, as saving would be refused with them", async () => {
    const id = await addCube(team);
    const broken = {
      path: "b.yml",
      content: "cubes:\n  - name: b\n    sql_table: b\n    measures: [{name: n, type: most}]\n",
    };
    const compiler = newCompiler();
    const { status, body } = await check(compiler, id, [cubeFile("a"), broken]);
    expect([status, compiler.compiled]).toEqual([200, 0]);
    expect(body.flaws).toEqual([expect.objectContaining({ file: "b.yml", line: 4, pointer: "/files/1/content" })]);
    expect(body.flaws).toEqual((await compiler.put(team, id, [cubeFile("a"), broken])).body.error.flaws);
  });

  it("answers the flaws of what the files compile to, and which member each is about", async () => {
    const id = await addCube(team);
    const strict = newCompiler(() => ({ flaws: [{ member: "a.count", message: "It counts nothing." }], meta: [] }));
    const { body } = await check(strict, id, [cubeFile("a")]);
    expect(body.flaws).toEqual([
      expect.objectContaining({ file: "a.yml", member: "a.count", line: 7, message: "It counts nothing." }),
    ]);
  });

  it("passes on that the engine is busy: the model is not wrong for that", async () => {
    const id = await addCube(team);
    const busy = newCompiler();
    busy.status = 503;
    expect((await check(busy, id, [cubeFile("a")])).status).toBe(503);
  });
});
