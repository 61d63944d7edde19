// The noun: how the deployment's parts answer right now.

import { z } from "@hono/zod-openapi";

/** Specification §Liveness: strings mapped to booleans. */
export const Health = z
  .object({
    network: z
      .boolean()
      .openapi({
        description:
          "The network carries an answer of `HEALTH_URL`, or, where that is not set, of the object store's endpoint.",
      }),
    database: z.boolean().openapi({ description: "The database answers." }),
    storage: z.boolean().openapi({ description: "The bucket answers." }),
    engine: z.boolean().openapi({ description: "The way to the engines answers; none is started to find out." }),
    sandbox: z.boolean().openapi({ description: "The way to the sandboxes answers; none is started to find out." }),
  })
  .openapi("Health");
export type Health = z.infer<typeof Health>;
