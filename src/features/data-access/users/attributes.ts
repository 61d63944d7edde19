// The noun: a user's attributes, which roles' filters name. Pure.

import { z } from "@hono/zod-openapi";
import { ACCESS_LIMITS } from "../../access/limits.ts";
import { DATA_ACCESS_LIMITS } from "../limits.ts";
import type { UserAttributes as Attributes } from "../../../platform/db/schema/access-schema.ts";
import { AttributeName, plainText } from "../../access/filter.ts";

const Value = plainText(ACCESS_LIMITS.valueCharactersMax);

export const AttributeValue = z
  .union([Value, z.array(Value).max(DATA_ACCESS_LIMITS.attributeValuesMax)])
  .openapi("AttributeValue", {
    type: ["string", "array"],
    maxLength: ACCESS_LIMITS.valueCharactersMax,
    items: { type: "string", maxLength: ACCESS_LIMITS.valueCharactersMax },
    maxItems: DATA_ACCESS_LIMITS.attributeValuesMax,
    description: "A text, or a list of texts.",
  });

const AttributeMap = z
  .record(AttributeName, AttributeValue)
  .refine((attributes) => Object.keys(attributes).length <= DATA_ACCESS_LIMITS.attributesMax, {
    error: `At most ${DATA_ACCESS_LIMITS.attributesMax} attributes.`,
  })
  .refine((attributes) => bytesOf(attributes) <= DATA_ACCESS_LIMITS.attributeBytesMax, {
    error: `At most ${DATA_ACCESS_LIMITS.attributeBytesMax} bytes.`,
  })
  .openapi({ description: "By name." });

const bytesOf = (attributes: Attributes): number => new TextEncoder().encode(JSON.stringify(attributes)).byteLength;

export const UserAttributesChange = z
  .strictObject({ attributes: AttributeMap })
  .openapi("UserAttributesChange", { example: { attributes: { region: ["north", "west"] } } });
export type UserAttributesChange = z.infer<typeof UserAttributesChange>;

export const UserAttributes = z
  .object({ user_id: z.uuid(), attributes: AttributeMap, updated_at: z.iso.datetime().nullable() })
  .openapi("UserAttributes");
export type UserAttributes = z.infer<typeof UserAttributes>;

/** Equal attributes are one text, in whatever order they came. */
export const sortAttributes = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).sort(([one], [other]) => (one < other ? -1 : 1)));
