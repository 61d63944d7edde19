// An integration is named by its id or its name.

import { itemsOf, type components, type Fjord } from "../../../typescript/src/client.ts";
import { UsageError } from "../exit-codes.ts";
import { collect } from "../output/list.ts";

export type Integration = components["schemas"]["Integration"];

export const listIntegrations = (fjord: Fjord): Promise<Integration[]> =>
  collect(itemsOf((query) => fjord.api.GET("/v1/api/integrations", { params: { query } })));

/** Throws `UsageError` where none, or more than one, is meant. */
export async function findIntegration(fjord: Fjord, word: string): Promise<Integration> {
  const all = await listIntegrations(fjord);
  const found = all.filter(({ id, name }) => id === word || name.toLowerCase() === word.toLowerCase());
  if (found.length === 1) return found[0]!;
  const names = all.map(({ name }) => name).join(", ");
  if (found.length > 1) throw new UsageError(`Several integrations are named ${word}: say its id.`);
  throw new UsageError(`No integration is ${word}. There are: ${names}.`);
}

/** The lake that is meant: the one that is named, or the team's default one. */
export async function findLake(fjord: Fjord, word: string | undefined): Promise<Integration> {
  if (word !== undefined) return findIntegration(fjord, word);
  const lakes = (await listIntegrations(fjord)).filter(({ type }) => type === "lake");
  const lake = lakes.find(({ is_default: isDefault }) => isDefault) ?? lakes[0];
  if (!lake) throw new UsageError("The team has no lake that you may see.");
  return lake;
}
