import { z } from "@hono/zod-openapi";
import { TEAM_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { domainOf } from "../domains/domain.ts";
import { selectProvidersFor } from "../identity-provider/store.ts";
import { requireSignInTry } from "./tries/require-try.ts";

export const ProvidersOfAddress = z
  .object({
    providers: z
      .array(z.object({ id: z.uuid(), name: z.string() }).openapi("ProviderOfAddress"))
      .openapi({ description: "Of the teams whose domain the address is of, whether they know the address or not." }),
  })
  .openapi("ProvidersOfAddress");
export type ProvidersOfAddress = z.infer<typeof ProvidersOfAddress>;

/**
 * The identity providers by which somebody of the address's domain may sign in. Nothing is said of the address itself.
 */
export async function findProviders(
  ctx: Needs<"db">,
  email: string,
  asking: { request: Request; now: Date },
): Promise<ProvidersOfAddress> {
  await requireSignInTry(ctx, asking);
  return { providers: await selectProvidersFor(ctx.db, domainOf(email), TEAM_LIMITS.issuersPerMailAddressMax) };
}
