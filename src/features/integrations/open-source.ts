// From an integration to the database behind it: the only file that opens sealed credentials.

import type { Source } from "../../../containers/engine/contract/source.ts";
import { notFound } from "../../core/problem.ts";
import type { Needs, OfTeam } from "../../platform/context.ts";
import type { Sealed } from "../../platform/crypto/vault.ts";
import { DatabaseCredentials, isSourceType, type IntegrationType, type SourceType } from "./credentials.ts";
import type { Integration } from "./integration.ts";
import { findSealed } from "./store.ts";

export const sourceOf = (type: SourceType, credentials: DatabaseCredentials): Source => ({ type, credentials });

export type SourceIntegration = Integration & { type: SourceType };

export const isSource = (integration: Integration): integration is SourceIntegration =>
  isSourceType(integration.type satisfies IntegrationType);

/** The database's credentials in the clear. They go to the engine and nowhere else. */
export async function openCredentials(
  { scope, db, vault }: Needs<"db" | "vault"> & OfTeam,
  id: string,
): Promise<DatabaseCredentials> {
  const sealed = await findSealed(db, scope.teamId, id);
  if (sealed === undefined) throw notFound("Integration", id);
  return DatabaseCredentials.parse(JSON.parse(await vault.unseal({ teamId: scope.teamId, integrationId: id }, sealed)));
}

export const sealCredentials = (
  { scope, vault }: Needs<"scope" | "vault">,
  id: string,
  credentials: DatabaseCredentials,
): Promise<Sealed> => vault.seal({ teamId: scope.teamId, integrationId: id }, JSON.stringify(credentials));
