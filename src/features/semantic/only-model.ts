import { invalidAt } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import type { Integration } from "../integrations/integration.ts";
import { listIntegrations } from "../integrations/list.ts";

const NAMED_MAX = 10;

/** The advice to a caller who named no model: `several` is followed by how each of them is named. */
type Advice = { pointer: string; none: string; several: string; nameOf: (model: Integration) => string };

/** The team's only semantic model. Throws `validation_failed` where there is none, or more than one. */
export async function getOnlyModel(
  ctx: Needs<"scope" | "db">,
  { pointer, none, several, nameOf }: Advice,
): Promise<Integration> {
  const models = await listIntegrations(ctx, { type: "cube", limit: NAMED_MAX + 1, offset: 0 });
  const [only, ...others] = models;
  if (only && others.length === 0) return only;
  const names = models.slice(0, NAMED_MAX).map(nameOf);
  const more = models.length > NAMED_MAX ? ", and others" : "";
  const message = only ? `${several} ${names.join(", ")}${more}.` : none;
  throw invalidAt(pointer, message);
}
