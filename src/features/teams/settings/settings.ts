// The noun: what a team's admins decide for all of it.

import { z } from "@hono/zod-openapi";

export const TeamSettings = z
  .object({
    sandbox_internet: z
      .boolean()
      .openapi({
        description:
          "Whether the code of docs may reach the public internet; the platform itself it always reaches. " +
          "False unless an admin says so.",
      }),
  })
  .openapi("TeamSettings");
export type TeamSettings = z.infer<typeof TeamSettings>;

/** Closed unless somebody opens it: code that is fed by strangers should not be able to send what it reads anywhere. */
export const SETTINGS_DEFAULT: TeamSettings = { sandbox_internet: false };

export const TeamSettingsPatch = z
  .strictObject({ sandbox_internet: z.boolean() })
  .openapi("TeamSettingsPatch", { example: { sandbox_internet: true } });
export type TeamSettingsPatch = z.infer<typeof TeamSettingsPatch>;
