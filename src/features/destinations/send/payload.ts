// A message's content as the JSON of a signed webhook. Pure.

import { z } from "@hono/zod-openapi";
import type { MessageContent, MessageTable } from "../../messages/content.ts";
import { DESTINATION_LIMITS } from "../limits.ts";
import { fitRows } from "./fit-rows.ts";

const Table = z.object({
  title: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string().nullable())).openapi({ description: "Cells as people read them." }),
  row_count: z.number().int().openapi({ description: "How many rows there are; `rows` may be fewer." }),
});

export const DeliveryPayload = z
  .object({
    type: z.literal("delivery"),
    data: z.object({
      subject: z.string(),
      text: z.string(),
      tables: z.array(Table),
      links: z.array(z.object({ title: z.string(), url: z.string(), expires_at: z.iso.datetime() })),
    }),
  })
  .openapi("DeliveryPayload");
export type DeliveryPayload = z.infer<typeof DeliveryPayload>;

/** Within its bound: rows that do not fit are left out, from the end of every table alike. */
export const payloadOf = (content: MessageContent): DeliveryPayload =>
  fitRows(content, DESTINATION_LIMITS.payloadBytesMax, (fitted) => ({
    type: "delivery",
    data: {
      subject: fitted.subject,
      text: fitted.text,
      tables: fitted.tables.map(tableOf),
      links: fitted.links.map(({ title, url, expiresAt }) => ({ title, url, expires_at: expiresAt })),
    },
  }));

const tableOf = ({ title, columns, rows, rowCount }: MessageTable) => ({ title, columns, rows, row_count: rowCount });
