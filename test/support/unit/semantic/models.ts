// Semantic models of a test team, and an engine that compiles them when a test says so.

import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { ENGINE_HEADER, PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import { CompileModelRequest, type CompiledModel, type SemanticModel } from "../../../../kernel/semantic/model.ts";
import { callWith } from "../call-with.ts";
import { call, type Answer } from "../http.ts";
import type { TestTeam } from "../team.ts";

export type File = { path: string; content: string };

export const modelPath = (integrationId: string, more = ""): string =>
  `/v1/api/integrations/${integrationId}/model${more}`;

/** The id of the team's own lake, where the team has no other integration. */
export const ownLakeOf = ({ id }: Pick<TestTeam, "id">): Promise<string> =>
  env.DB.prepare("select id from integrations where team_id = ? and is_default = 1")
    .bind(id)
    .first<string>("id") as Promise<string>;

/** On the team's own lake, where no other is named. */
export async function addCube({ admin, ...team }: TestTeam, base?: string): Promise<string> {
  const credentials = { integration_id: base ?? (await ownLakeOf(team)) };
  const { status, body } = await call("POST", "/v1/api/integrations", {
    key: admin.key,
    body: { type: "cube", credentials },
  });
  expect(status).toBe(201);
  return body.integration.id;
}

/** A cube of a file of its own, with a measure and a dimension. */
export const cubeFile = (name: string, more: { measure?: string; path?: string } = {}): File => ({
  path: more.path ?? `${name}.yml`,
  content: `cubes:
  - name: ${name}
    sql_table: sample.${name}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
    measures:
      - {name: ${more.measure ?? "count"}, type: count}
`,
});

const headers = { [ENGINE_HEADER]: String(PROTOCOL) };

function withHeaders(answer: Response): Response {
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}

export const EMPTY_META = { segments: [], hierarchies: [], folders: [], nestedFolders: [] };

/** What the compiler says of a model, in little. */
export const metaOf = ({ cubes, views }: SemanticModel): CompiledModel["meta"] =>
  [...cubes, ...views].map(({ name, measures = [], dimensions = [] }) => {
    const listed = (members: unknown) =>
      (members as { name: string; public?: boolean }[]).map((member) => ({
        name: `${name}.${member.name}`,
        isVisible: member.public ?? true,
      }));
    return { name, measures: listed(measures), dimensions: listed(dimensions), ...EMPTY_META };
  });

/**
 * Answers at once with what `compile` makes of a model, and what else it is asked with `others`, by path. While it is
 * held it waits, and `compiling` says how many requests do.
 */
export function newCompiler(
  compile: (model: SemanticModel) => Partial<CompiledModel> = () => ({}),
  others: Record<string, (body: never) => Response> = {},
) {
  let release: (() => void) | undefined;
  let held: Promise<void> | undefined;
  const compiler = { compiled: 0, compiling: 0, hold, release: () => release?.(), status: 200 };
  function hold(): void {
    held = new Promise((resolve) => (release = resolve));
  }
  const stub = {
    async fetch(url: string, { body }: { body: string }) {
      const { pathname } = new URL(url);
      const other = others[pathname];
      if (other) return withHeaders(other(JSON.parse(body) as never));
      expect(pathname).toBe("/semantic/models");
      const { model } = CompileModelRequest.parse(JSON.parse(body));
      compiler.compiling++;
      await held;
      compiler.compiling--;
      compiler.compiled++;
      if (compiler.status !== 200)
        return Response.json({ code: "busy", message: "Busy." }, { status: compiler.status, headers });
      return Response.json({ flaws: [], meta: metaOf(model), ...compile(model) }, { headers });
    },
    askRunning: async () => undefined,
  };
  const bindings = { ENGINE: { getByName: () => stub } } as unknown as Partial<Env>;
  const ask = (method: string, path: string, key: string, body?: unknown): Promise<Answer> =>
    callWith(bindings, method, path, { key, ...(body === undefined ? {} : { body }) });
  return Object.assign(compiler, {
    bindings,
    ask,
    put: ({ admin }: TestTeam, id: string, files: readonly File[], more: object = {}): Promise<Answer> =>
      ask("PUT", modelPath(id), admin.key, { files, ...more }),
  });
}

/** What is stored of a model, table by table. */
export async function storedOf(integrationId: string) {
  const rows = async (sql: string) => (await env.DB.prepare(sql).bind(integrationId).all()).results;
  return {
    versions: await rows("select version from semantic_model_versions where integration_id = ? order by version"),
    files: await rows("select version, path from semantic_model_files where integration_id = ? order by version, path"),
    definitions: await rows("select version, name from semantic_definitions where integration_id = ? order by name"),
  };
}
