// An integration's database is opened here, in the only file that opens sealed credentials.

import type { Source } from "../../../kernel/wire/source.ts";
import { notFound } from "../../core/problem.ts";
import type { Needs, OfTeam } from "../../clients/context.ts";
import type { Sealed } from "../../platform/crypto/vault.ts";
import { isSourceType, type IntegrationType, type SourceType } from "./credentials/credentials.ts";
import { parseSource } from "./credentials/source.ts";
import type { Integration } from "./integration.ts";
import { findSealed } from "./store.ts";

export type SourceIntegration = Integration & { type: SourceType };

export const isSource = (integration: Integration): integration is SourceIntegration =>
  isSourceType(integration.type satisfies IntegrationType);

/** The source with its credentials in the clear. They go to the engine and nowhere else. */
export async function openSource(
  deps: Needs<"db" | "vault"> & OfTeam,
  { id, type }: Pick<SourceIntegration, "id" | "type">,
): Promise<Source> {
  const parsed = parseSource(type, await openCredentials(deps, id));
  if ("issues" in parsed) throw new Error(`The stored credentials of integration ${id} are not those of its kind.`);
  return parsed.source;
}

/** The credentials of an integration that has some, as they were stored. */
export async function openCredentials(
  { scope, db, vault }: Needs<"db" | "vault"> & OfTeam,
  id: string,
): Promise<unknown> {
  const sealed = await findSealed(db, scope.teamId, id);
  if (sealed === undefined) throw notFound("Integration", id);
  return JSON.parse(await vault.unseal({ teamId: scope.teamId, integrationId: id }, sealed));
}

export const sealCredentials = (
  { scope, vault }: Needs<"scope" | "vault">,
  id: string,
  { credentials }: Source | { credentials: object },
): Promise<Sealed> => vault.seal({ teamId: scope.teamId, integrationId: id }, JSON.stringify(credentials));
