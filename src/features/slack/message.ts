// The noun: a message that scripts post to Slack, as the published SDK sends it. Pure.

import { z } from "@hono/zod-openapi";
import { SLACK_LIMITS } from "./limits.ts";

export const NewSlackMessage = z
  .strictObject({
    integration_id: z.string().openapi({ description: "An integration of type `slack`, whose bot posts." }),
    channel_id: z
      .string()
      .min(1)
      .max(SLACK_LIMITS.channelCharactersMax)
      .openapi({ description: "The channel's id, or a user's for a direct message.", example: "C0920MVPWFN" }),
    text: z
      .string()
      .min(1)
      .max(SLACK_LIMITS.textCharactersMax)
      .openapi({ description: "In Slack's mrkdwn; beside `blocks` what notifications show." }),
    blocks: z
      .array(z.record(z.string(), z.unknown()))
      .max(SLACK_LIMITS.blocksMax)
      .optional()
      .openapi({ description: "Blocks of Slack's Block Kit, passed on as they are." }),
    thread_ts: z
      .string()
      .regex(/^[0-9]{1,20}\.[0-9]{1,10}$/, "Send the `ts` of the message that the thread begins with.")
      .optional()
      .openapi({ description: "The `ts` of the message to reply to.", example: "1234567890.123456" }),
  })
  .openapi("NewSlackMessage", {
    example: {
      integration_id: "01900000-0000-7000-8000-000000000000",
      channel_id: "C0920MVPWFN",
      text: "The nightly load is done.",
    },
  });
export type NewSlackMessage = z.infer<typeof NewSlackMessage>;

export const SlackMessage = z
  .object({
    ok: z.literal(true),
    channel: z.string(),
    ts: z.string().openapi({ description: "Slack's name of the message within its channel." }),
    message: z.record(z.string(), z.unknown()).openapi({ description: "The message as Slack keeps it." }),
  })
  .openapi("SlackMessage");
export type SlackMessage = z.infer<typeof SlackMessage>;
