// A mail that a program of the team's sends, as existing clients send it: the wire.

import { z } from "@hono/zod-openapi";
import { Email } from "../../../http/request/email.ts";
import { MESSAGE_LIMITS } from "../limits.ts";

export const NewEmailMessage = z
  .strictObject({
    toEmails: z
      .preprocess(
        (value) => (typeof value === "string" ? [value] : value),
        z.array(Email).min(1).max(MESSAGE_LIMITS.recipientsMax),
      )
      .openapi({
        ...{ type: "array", items: { type: "string", format: "email", maxLength: 254 }, minItems: 1 },
        maxItems: MESSAGE_LIMITS.recipientsMax,
        description:
          "Members' addresses, and ones that have confirmed. Each gets a mail of its own. A single one may be a text.",
      }),
    subject: z
      .string()
      .max(MESSAGE_LIMITS.subjectSentCharactersMax)
      .openapi({ description: `Made one line, and cut after ${MESSAGE_LIMITS.subjectCharactersMax} characters.` }),
    body: z
      .string()
      .min(1)
      .max(MESSAGE_LIMITS.bodyCharactersMax)
      .openapi({
        description:
          "HTML where a tag is in it, else text. Of HTML the elements and attributes that mails show are kept.",
      }),
  })
  .openapi("NewEmailMessage", {
    example: { toEmails: ["ada@acme.example"], subject: "Nightly load", body: "<p>All tables are loaded.</p>" },
  });
export type NewEmailMessage = z.infer<typeof NewEmailMessage>;

export const AcceptedEmailMessages = z
  .object({
    success: z.literal(true),
    messages: z
      .array(z.object({ id: z.uuid(), to: z.string() }))
      .openapi({ description: "One for each address; the team's log of messages says what becomes of it." }),
  })
  .openapi("AcceptedEmailMessages");
export type AcceptedEmailMessages = z.infer<typeof AcceptedEmailMessages>;
