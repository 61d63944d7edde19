// The newest model of an integration as its caller sees it, kept in the isolate with the model itself.

import { SEMANTIC_LIMITS } from "./limits.ts";
import { LruMap } from "../../../kernel/text/lru-map.ts";
import type { Needs } from "../../clients/context.ts";
import { valueOf } from "../../core/answer.ts";
import { openReader, type LakeReader } from "../../lake/lake.ts";
import { resolveAccess, type Access } from "../access/resolve.ts";
import type { Base } from "../integrations/cube/base.ts";
import { hiddenInLake, hiddenInSource } from "./access/hidden-names.ts";
import { modelWithoutHidden } from "./access/without-hidden.ts";
import { getCubeIntegration, type CubeIntegration } from "./cube-integration.ts";
import { findNewest, loadModel } from "./load-model.ts";
import type { LoadedModel } from "./loaded-model.ts";

type Deps = Needs<"scope" | "db" | "openLake">;

/** The visible model of one digest. `lookedAt` is the lake's snapshot, or a database's default schema. */
type Visible = { model: LoadedModel; lookedAt: number | string; hidden: string };

/** A model's visible models, for all its holders, by digest. */
const visible = new WeakMap<LoadedModel, LruMap<Visible>>();

/** The model's look-ups made ahead. `reader` is that of the base, where that is a lake which the caller has opened. */
export type Ahead = { newest: Awaited<ReturnType<typeof findNewest>>; reader: LakeReader | undefined };

/** The model of an integration as its caller sees it, with what it lies on. */
export async function openVisibleModel(ctx: Deps, id: string): Promise<CubeIntegration & { model: LoadedModel }> {
  const [cube, newest] = await Promise.all([getCubeIntegration(ctx, id), findNewest(ctx, id)]);
  return { ...cube, model: await loadVisibleModel(ctx, cube, { newest, reader: undefined }) };
}

/**
 * Every road from a model to a caller leads over this: what is hidden from them is not in it. Throws
 * `resource_not_found` where the integration has no model yet.
 */
export async function loadVisibleModel(
  ctx: Deps,
  { integration, base }: CubeIntegration,
  { newest, reader }: Ahead,
): Promise<LoadedModel> {
  const [model, access] = await Promise.all([loadModel(ctx, integration, newest), resolveAccess(ctx, base)]);
  if (access.kind === "all") return model;
  if (base.type !== "lake") return overSource(base, model, access);
  return overLake(ctx, base, model, reader ?? (await openReader(ctx.openLake(base.id), access)));
}

type Roles = Extract<Access, { kind: "roles" }>;

/** The catalog decides by identity, names that tables had among it; so what it hides can change with each snapshot. */
async function overLake(
  { openLake }: Deps,
  { id }: Base,
  model: LoadedModel,
  { snapshotId, reader }: LakeReader,
): Promise<LoadedModel> {
  if (reader === "everything") return model;
  const known = recall(model, reader);
  if (known?.lookedAt === snapshotId) return known.model;
  const tables = valueOf(await openLake(id).hiddenTables(snapshotId, reader));
  const hidden = JSON.stringify(tables);
  const seeNew = () => (tables.length === 0 ? model : modelWithoutHidden(model, hiddenInLake(tables)));
  const seen = known?.hidden === hidden ? known.model : seeNew();
  return remember(model, reader, { model: seen, lookedAt: snapshotId, hidden });
}

async function overSource(base: Base, model: LoadedModel, access: Roles): Promise<LoadedModel> {
  const defaultSchema = defaultSchemaOf(base);
  const known = recall(model, access.digest);
  if (known?.lookedAt === defaultSchema) return known.model;
  const { digest, roles } = await access.loadRoles();
  const seen = modelWithoutHidden(model, hiddenInSource(roles, defaultSchema));
  return remember(model, digest, { model: seen, lookedAt: defaultSchema, hidden: "" });
}

/** Where a table without a schema is looked for. */
export const defaultSchemaOf = (base: Base): string =>
  base.type === "mysql" ? (base.details.database ?? "") : "public";

const recall = (model: LoadedModel, digest: string): Visible | undefined => visible.get(model)?.get(digest);

function remember(model: LoadedModel, digest: string, entry: Visible): LoadedModel {
  const digests = visible.get(model) ?? new LruMap<Visible>(SEMANTIC_LIMITS.digestsPerModelMax);
  visible.set(model, digests);
  digests.set(digest, entry);
  return entry.model;
}
