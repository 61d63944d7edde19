import { missingAt, Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { getIntegration } from "../../integrations/get.ts";
import { isSource } from "../../integrations/open-source.ts";
import type { Question } from "../question.ts";

/** Throws `validation_failed` where the team has no such integration, or it takes no question of this kind. */
export async function checkTarget(
  ctx: Needs<"scope" | "db">,
  { integration_id: id, sql }: Pick<Question, "integration_id" | "sql">,
): Promise<void> {
  if (id === null) return;
  const integration = await getIntegration(ctx, id).catch(missingAt("/integration_id"));
  const takesSql = integration.type === "lake" || isSource(integration);
  if (sql !== undefined && !takesSql) throw flaw(`An integration of type ${integration.type} takes no SQL.`);
  if (sql === undefined && integration.type !== "cube")
    throw flaw(`An integration of type ${integration.type} takes no cube_query.`);
}

const flaw = (message: string): Problem =>
  new Problem("validation_failed", message, [{ pointer: "/integration_id", message }]);
