// The noun: a named store of strings, read and written whole, with a version that keeps two writers apart. Pure.

import { z } from "@hono/zod-openapi";

/** It stands in a path, so it has no character that paths give a meaning. */
const STORE_NAME = /^(?!\.{1,2}$)[\p{L}\p{N}_.:@ -]{1,200}$/u;
const RULE = "Send 1 to 200 letters, digits, spaces or any of _ . : @ -";
// The document has the rule in words: neither look-ahead nor classes of Unicode are in every language's expressions.
const StoreName = z
  .string()
  .refine((name) => STORE_NAME.test(name), RULE)
  .openapi({
    minLength: 1,
    maxLength: 200,
    description: "Letters and digits of any script, spaces and any of _ . : @ -, but neither `.` nor `..`.",
  });

/** Any text is a key, also `__proto__`, which a record of zod's would leave out without a word. */
const data = z
  .custom<Record<string, string>>(
    (given) => typeof given === "object" && given !== null && !Array.isArray(given),
    "Send an object of strings.",
  )
  .superRefine((given, context) => {
    for (const [key, value] of Object.entries(given))
      if (typeof value !== "string") context.addIssue({ code: "custom", path: [key], message: "Send a string." });
  })
  .openapi({ type: "object", additionalProperties: { type: "string" }, description: "Strings by key." });

export const KvStore = z.object({ data, version_id: z.string() }).openapi("KvStore");
export type KvStore = z.infer<typeof KvStore>;

export const NewKvVersion = z
  .strictObject({
    name: StoreName,
    data,
    existing_version_id: z
      .string()
      .nullable()
      .default(null)
      .openapi({ description: "The version that was read; null for a store that was not there." }),
  })
  .openapi("NewKvVersion", {
    example: { name: "last_seen", data: { orders: "2026-01-31" }, existing_version_id: null },
  });
export type NewKvVersion = z.infer<typeof NewKvVersion>;

export const KvStoreRef = z.strictObject({ name: StoreName }).openapi("KvStoreRef", { example: { name: "last_seen" } });
