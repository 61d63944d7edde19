// Where a statement runs, with what its sender may do there.

import type { StatementRequest } from "../../../containers/engine/contract/protocol.ts";
import type { Source } from "../../../containers/engine/contract/source.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";
import { grantLake, grantWriter } from "../../platform/lake/lake.ts";
import { resolveAccess, type Access } from "../data-access/resolve.ts";
import type { Integration } from "../integrations/integration.ts";
import { isSource, openSource } from "../integrations/open-source.ts";

export type Target = StatementRequest["target"];

/** `loadTarget`: the same with the roles of who asks, which are left out as long as the engine knows them. */
export type Targeted = { target: Target; loadTarget?: () => Promise<Target>; access: Access };

type TargetDeps = Needs<"scope" | "db" | "vault" | "tokens" | "openLake">;

type Asked = {
  deadlineMs: number;
  /** Of SQL, which may be a statement that writes; a semantic query never is. */
  mayWrite: boolean;
};

export async function targetOf(
  ctx: TargetDeps,
  integration: Integration,
  { deadlineMs, mayWrite }: Asked,
): Promise<Targeted> {
  const { scope } = ctx;
  if (integration.type === "lake") {
    const lake = { teamId: scope.teamId, lakeId: integration.id };
    const lifetime = { deadlineMs, now: scope.now };
    const access = await resolveAccess(ctx, integration);
    const grant = await grantLake(ctx, lake, access, lifetime);
    // A statement that writes reads what its rows are made of: who is bound by roles writes nothing.
    if (!mayWrite || access.kind === "roles" || !scope.rights.includes("lake:write"))
      return { target: { kind: "lake", lake: grant }, access };
    const writer = await grantWriter(ctx, { ...lake, statementId: scope.requestId, author: scope.userName }, lifetime);
    return { target: { kind: "lake", lake: { ...grant, writer } }, access };
  }
  if (isSource(integration)) {
    const access = await resolveAccess(ctx, integration);
    return sourceTarget(await openSource(ctx, integration), access);
  }
  const { type, name } = integration;
  const message =
    type === "cube"
      ? `The integration ${name} is a semantic model: send it cube_query.`
      : `An integration of type ${type} takes no SQL.`;
  throw new Problem("validation_failed", message, [{ pointer: "/sql", message }]);
}

function sourceTarget(source: Source, access: Access): Targeted {
  const target = { kind: "source" as const, source };
  if (access.kind === "all") return { target, access };
  return {
    target: { ...target, access: { digest: access.digest } },
    loadTarget: async () => ({ ...target, access: await access.loadRoles() }),
    access,
  };
}
