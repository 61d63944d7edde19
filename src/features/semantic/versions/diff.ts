// The differences between two versions of a model: its files line by line, and its cubes and views member by member.

import { z } from "@hono/zod-openapi";
import type { CubeDefinition, SemanticModel } from "../../../../kernel/semantic/model.ts";
import { SEMANTIC_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { getCubeIntegration } from "../cube-integration.ts";
import { readModel } from "../model/read-model.ts";
import { requireVersion, versionNumber } from "./get.ts";
import type { ModelFile } from "./model-version.ts";
import { unifiedDiff } from "./unified-diff.ts";

const CHANGES = ["added", "removed", "changed"] as const;
const change = z.enum(CHANGES);
type Change = (typeof CHANGES)[number];

export const ModelDiff = z
  .object({
    version: z.number().int(),
    against: z.number().int().openapi({ description: "The version before, which the changes were made to." }),
    files: z.array(
      z.object({
        path: z.string(),
        change,
        diff: z
          .string()
          .nullable()
          .openapi({
            description: `A unified diff of its lines. Null where more than ${SEMANTIC_LIMITS.diffEditsMax} lines went and came.`,
          }),
      }),
    ),
    members: z
      .array(
        z.object({
          member: z.string().openapi({ description: "A `cube`, of what it has beside members, or a `cube.member`." }),
          change,
        }),
      )
      .nullable()
      .openapi({ description: "Null where one of the versions can't be read any more." }),
    truncated: z
      .boolean()
      .openapi({ description: `Whether more than ${SEMANTIC_LIMITS.diffMembersMax} members differ.` }),
  })
  .openapi("SemanticModelDiff");
export type ModelDiff = z.infer<typeof ModelDiff>;

/** Against the version before where none is named; the first one is all new. */
export async function getSemanticModelDiff(
  ctx: Needs<"scope" | "db">,
  integrationId: string,
  { version, against }: { version: string; against: number | undefined },
): Promise<ModelDiff> {
  const { integration } = await getCubeIntegration(ctx, integrationId);
  const number = versionNumber(version);
  const from = against ?? number - 1;
  const filesOf = async (one: number) => (one === 0 ? [] : (await requireVersion(ctx, integration, one)).files);
  const [before, after] = await Promise.all([filesOf(from), filesOf(number)]);
  const members = diffMembers(before, after);
  return {
    version: number,
    against: from,
    files: diffFiles(before, after),
    members: members?.slice(0, SEMANTIC_LIMITS.diffMembersMax) ?? null,
    truncated: (members?.length ?? 0) > SEMANTIC_LIMITS.diffMembersMax,
  };
}

function diffFiles(before: ModelFile[], after: ModelFile[]): ModelDiff["files"] {
  const contents = (files: ModelFile[]) => new Map(files.map(({ path, content }) => [path, content]));
  const changed = compare(contents(before), contents(after));
  const [old, now] = [contents(before), contents(after)];
  return changed.map(({ name: path, change: kind }) => ({
    path,
    change: kind,
    diff: unifiedDiff(old.get(path) ?? "", now.get(path) ?? "", SEMANTIC_LIMITS.diffEditsMax) ?? null,
  }));
}

/** Undefined where either can't be read: rules may have become stricter since. */
function diffMembers(before: ModelFile[], after: ModelFile[]): { member: string; change: Change }[] | undefined {
  const [old, now] = [before, after].map((files) => (files.length === 0 ? EMPTY : readModel(files)));
  if (!old?.definitions || !now?.definitions) return undefined;
  return compare(partsOf(old.definitions), partsOf(now.definitions)).map(({ name, change: kind }) => ({
    member: name,
    change: kind,
  }));
}

const EMPTY = { definitions: { cubes: [], views: [] } };

/** By name, what differs: in the order of names. */
function compare(before: Map<string, string>, after: Map<string, string>): { name: string; change: Change }[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    if (old === now) return [];
    return [{ name, change: old === undefined ? "added" : now === undefined ? "removed" : "changed" }];
  });
}

/** Joins and hierarchies may have the names of members; they count as their cube's. */
const MEMBER_LISTS = ["measures", "dimensions", "segments"];

/** Each cube and view without its members, and each member, as JSON. */
function partsOf({ cubes, views }: SemanticModel): Map<string, string> {
  const parts = new Map<string, string>();
  for (const definition of [...cubes, ...views]) {
    const { members, rest } = takeApart(definition);
    parts.set(definition.name, JSON.stringify(rest));
    for (const [name, json] of members) parts.set(`${definition.name}.${name}`, json);
  }
  return parts;
}

function takeApart(definition: CubeDefinition) {
  const entries = Object.entries(definition);
  const members = new Map<string, string>();
  for (const [list, items] of entries)
    if (MEMBER_LISTS.includes(list))
      for (const item of items as { name: string }[]) members.set(item.name, JSON.stringify([list, item]));
  return { members, rest: Object.fromEntries(entries.filter(([list]) => !MEMBER_LISTS.includes(list))) };
}
