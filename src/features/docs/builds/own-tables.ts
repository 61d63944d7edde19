// The tables that a doc builds are its own: nothing else writes to them while the doc is live and builds them.

import { Problem, type Flaw } from "../../../core/problem.ts";
import type { Needs, OfTeam } from "../../../clients/context.ts";
import { ownerOfDoc, shownOwner, type Owner } from "../../../lake/writers/owners.ts";
import { getLake } from "../../integrations/get.ts";
import type { Definition } from "../definition/definition.ts";
import { targetOf } from "../definition/builds/materialize.ts";
import { isBuilt, type BuildLakes } from "./build.ts";

type Lakes = Needs<"db" | "openLake"> & OfTeam;
type Claim = { pointer: string; schema: string; name: string };

const claimsOf = ({ datasets }: Definition): Claim[] =>
  Object.entries(datasets).flatMap(([key, dataset]) => {
    if (!isBuilt(dataset)) return [];
    const { schema, name } = targetOf(dataset.materialize);
    return [{ pointer: `/datasets/${key}/materialize/table`, schema, name }];
  });

const flawOf = ({ pointer, schema, name }: Claim, owner: Owner): Flaw => ({
  pointer,
  message: `The table ${schema}.${name} of the lake belongs to ${shownOwner(owner)}, which alone writes to it.`,
});

/**
 * Throws `resource_conflict` with a flaw at each table that is a sync's or another doc's. What is free now is the doc's
 * from its next run on.
 */
export async function requireFreeTables(ctx: Lakes, docId: string | undefined, definition: Definition): Promise<void> {
  const claims = claimsOf(definition);
  if (claims.length === 0) return;
  const lake = ctx.openLake((await getLake(ctx)).id);
  const owner = docId && ownerOfDoc(docId);
  const found = await Promise.all(claims.map(({ schema, name }) => lake.ownerOf(schema, name)));
  refuseTaken(claims.flatMap((claim, i) => (found[i] && found[i].owner !== owner ? [flawOf(claim, found[i])] : [])));
}

/** Makes the tables of the definition the doc's own, and no others. Throws as {@link requireFreeTables} does. */
export async function claimTables(
  { openLake }: BuildLakes,
  lakeId: string,
  doc: { id: string; name: string },
  definition: Definition,
): Promise<void> {
  const claims = claimsOf(definition);
  const tables = claims.map(({ schema, name }) => ({ schema, name }));
  const taken = await openLake(lakeId).keepTables({ owner: ownerOfDoc(doc.id), name: doc.name }, tables);
  refuseTaken(
    taken.map(({ schema, name, owner }) => {
      const claim = claims.find((each) => each.schema === schema && each.name === name)!;
      return flawOf(claim, owner);
    }),
  );
}

/** An archived doc owns nothing. It remembers how far its tables have read, for when it is restored. */
export async function releaseTables(ctx: Lakes, docId: string): Promise<void> {
  const lake = await getLake(ctx).catch(() => undefined);
  if (lake) await ctx.openLake(lake.id).releaseOwner(ownerOfDoc(docId));
}

/** A doc that builds nothing any more owns nothing. */
export async function releaseUnbuilt(ctx: Lakes, docId: string, before: Definition, after: Definition): Promise<void> {
  if (claimsOf(before).length > 0 && claimsOf(after).length === 0) await releaseTables(ctx, docId);
}

function refuseTaken(flaws: Flaw[]): void {
  if (flaws.length > 0) throw new Problem("resource_conflict", `${flaws[0]!.message} Name another table.`, flaws);
}
