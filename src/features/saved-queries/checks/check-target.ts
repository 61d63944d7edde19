import { invalidAt, missingAt, type Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { getIntegration } from "../../integrations/get.ts";
import { QUERIED_BY } from "../../integrations/credentials/credentials.ts";
import { howQueried } from "../../integrations/integration.ts";
import type { Question } from "../question.ts";

/** Throws `validation_failed` where the team has no such integration, or it takes no question of this kind. */
export async function checkTarget(
  ctx: Needs<"scope" | "db">,
  { integration_id: id, sql }: Pick<Question, "integration_id" | "sql">,
): Promise<void> {
  if (id === null) return;
  const integration = await getIntegration(ctx, id).catch(missingAt("/integration_id"));
  if (QUERIED_BY[integration.type] !== (sql === undefined ? "cube_query" : "sql")) throw flaw(howQueried(integration));
}

const flaw = (message: string): Problem => invalidAt("/integration_id", message);
