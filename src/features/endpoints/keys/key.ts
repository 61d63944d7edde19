// The noun: a key of one endpoint. It is known to its holder alone; we keep its hash. Pure.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";

const PREFIX = "fjk_";

export const EndpointKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    hint: z.string().openapi({ description: "The key's last four characters." }),
    created_by: z.uuid(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
  })
  .openapi("EndpointKey");
export type EndpointKey = z.infer<typeof EndpointKey>;

export const MintedEndpointKey = EndpointKey.extend({
  key: z.string().openapi({ description: "The key itself. It is shown this once." }),
}).openapi("MintedEndpointKey");
export type MintedEndpointKey = z.infer<typeof MintedEndpointKey>;

export const NewEndpointKey = z
  .strictObject({
    name: z.string().trim().min(1).max(LIMITS.nameCharactersMax),
    expires_at: z.iso.datetime({ offset: true }).nullable().default(null),
  })
  .openapi("NewEndpointKey", { example: { name: "Shop", expires_at: null } });
export type NewEndpointKey = z.infer<typeof NewEndpointKey>;

export const endpointKeyOf = (suffix: string): string => PREFIX + suffix;
