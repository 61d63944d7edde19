// A statement runs on a target, with the rights that its sender has there.

import type { StatementRequest } from "../../../kernel/wire/engine.ts";
import type { Source } from "../../../kernel/wire/source.ts";
import { newId } from "../../core/ids.ts";
import { invalidAt } from "../../core/problem.ts";
import type { Scope } from "../../core/scope.ts";
import type { Needs } from "../../clients/context.ts";
import { grantReader, openReader } from "../../lake/lake.ts";
import { resolveAccess, type Access } from "../access/resolve.ts";
import { howQueried, type Integration } from "../integrations/integration.ts";
import { isSource, openSource } from "../integrations/open-source.ts";
import type { AsyncQuery } from "./async/async-query.ts";
import type { SentWrite } from "./settle-write.ts";
import type { OpenedLake } from "../access/open-lake.ts";

export type Target = StatementRequest["target"];

/**
 * `loadTarget`: the same with the roles of who asks, which are left out as long as the engine knows them. `write`: the
 * engine may let the statement write, whatever the statement is; null where it can't.
 */
export type Targeted = { target: Target; loadTarget?: () => Promise<Target>; access: Access; write: SentWrite | null };

type LakeDeps = Needs<"scope" | "db" | "tokens" | "openLake">;
type TargetDeps = LakeDeps & Needs<"vault">;

type TargetRequest = {
  deadlineMs: number;
  /** It never writes, as semantic queries do not; whether other SQL does is the engine's to say. */
  isRead: boolean;
  /** The lake that was opened ahead: perhaps this integration, perhaps another, perhaps none. */
  opened: Promise<OpenedLake | undefined>;
};

/** What runs a statement on a lake. */
export const engineOf = ({ target }: Pick<StatementRequest, "target">): AsyncQuery["engine"] =>
  target.kind === "cluster" ? "trino" : "duckdb";

/** All that a target takes of an integration that is a lake. */
export type LakeTarget = { id: string; type: "lake" };

export async function targetOf(
  ctx: TargetDeps,
  integration: Integration | LakeTarget,
  asked: TargetRequest,
): Promise<Targeted> {
  if (isLake(integration)) return lakeTargetOf(ctx, integration, asked);
  if (isSource(integration)) {
    const [access, source] = await Promise.all([resolveAccess(ctx, integration), openSource(ctx, integration)]);
    return sourceTarget(source, access);
  }
  const message = howQueried(integration);
  throw invalidAt("/sql", message);
}

export const isLake = (integration: Integration | LakeTarget): integration is LakeTarget => integration.type === "lake";

export async function lakeTargetOf(
  ctx: LakeDeps,
  { id: lakeId }: LakeTarget,
  { deadlineMs, isRead, opened }: TargetRequest,
): Promise<Targeted & { target: Extract<Target, { kind: "lake" }> }> {
  const { scope } = ctx;
  const lake = { teamId: scope.teamId, lakeId };
  const { access, reader } = await openReaderOf(ctx, lakeId, await opened);
  const sent = !isRead && mayWrite(scope, access) ? { statementId: scope.requestId, jobId: newId() } : undefined;
  const writes = sent && { ...sent, author: scope.userName };
  const isDriveClosed = scope.accessRoleId === undefined ? undefined : (true as const);
  const grant = await grantReader(ctx, lake, reader, { deadlineMs, now: scope.now, writes, isDriveClosed });
  return { target: { kind: "lake", lake: grant }, access, write: sent ? { lakeId, ...sent } : null };
}

/** A statement that writes reads what its rows are made of: who is bound by roles writes nothing. */
export const mayWrite = ({ rights }: Pick<Scope, "rights">, access: Access): boolean =>
  access.kind === "all" && rights.includes("lake:write");

async function openReaderOf(ctx: LakeDeps, lakeId: string, opened: OpenedLake | undefined) {
  if (opened?.lakeId === lakeId) return opened;
  const access = await resolveAccess(ctx, { id: lakeId });
  return { access, reader: await openReader(ctx.openLake(lakeId), access) };
}

function sourceTarget(source: Source, access: Access): Targeted {
  const target = { kind: "source" as const, source };
  // Connected databases are only read.
  if (access.kind === "all") return { target: { ...target, access: "everything" }, access, write: null };
  return {
    target: { ...target, access: { digest: access.digest } },
    loadTarget: async () => ({ ...target, access: await access.loadRoles() }),
    access,
    write: null,
  };
}
