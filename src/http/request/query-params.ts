// Routes declare query parameters by these schemas. Values arrive as text; one that is not exactly of its kind is a
// flaw, never a guess.

import { z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { Problem } from "../../core/problem.ts";
import type { AppEnv } from "../app-env.ts";

/** A whole number in decimal digits within its bounds. */
export const integerParameter = (bounds: { min: number; max?: number; default: number }) =>
  wholeNumber(bounds)
    .default(bounds.default)
    .openapi({
      type: "integer",
      minimum: bounds.min,
      ...(bounds.max === undefined ? {} : { maximum: bounds.max }),
      default: bounds.default,
    });

const wholeNumber = ({ min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number }) =>
  z
    .string()
    .regex(/^\d{1,16}$/, "Send a whole number.")
    .transform(Number)
    .refine(
      (value) => value >= min && value <= max,
      max === Number.MAX_SAFE_INTEGER ? `At least ${min}.` : `From ${min} to ${max}.`,
    );

/** A whole number, where absence means something of its own. */
export const optionalIntegerParameter = (bounds: { min: number; max?: number }) =>
  wholeNumber(bounds)
    .optional()
    .openapi({ type: "integer", minimum: bounds.min, ...(bounds.max === undefined ? {} : { maximum: bounds.max }) });

/** Text of so many characters: code points, as the document counts them, of which an emoji is one and not two. */
export const textParameter = ({ min, max }: { min: number; max: number }) =>
  z
    .string()
    .refine((text) => text.length >= min, `At least ${min} characters.`)
    .refine((text) => [...text].length <= max, `At most ${max} characters.`)
    .openapi({ minLength: min, maxLength: max });

const booleanText = z.enum(["true", "false"]).transform((text) => text === "true");

/** `true` or `false`. */
export const booleanParameter = (preset: boolean) =>
  booleanText.default(preset).openapi({ type: "boolean", enum: [true, false], default: preset });

/** `true` or `false`, where absence means either. */
export const optionalBooleanParameter = () => booleanText.optional().openapi({ type: "boolean", enum: [true, false] });

/** A repeated key: `plans=free&plans=trial`. A value counts once, so that of a few words none makes a long list. */
export const listParameter = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) => (value === undefined ? value : [...new Set(Array.isArray(value) ? value : [value])]),
    z.array(item).optional(),
  );

/** A repeated key of which at least one is needed. */
export const requiredListParameter = <Item extends z.ZodType>(item: Item, { max }: { max: number }) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item, "Send at least one.").min(1).max(max, `Send at most ${max}.`),
  );

/** The page of a v4 list. */
export const pageParameters = (bounds: { limitMax: number; limitDefault: number }) => ({
  limit: integerParameter({ min: 1, max: bounds.limitMax, default: bounds.limitDefault }),
  offset: integerParameter({ min: 0, default: 0 }),
});

/** For operations that declare no query: a parameter that would be ignored is refused instead. */
export const refuseUnknownQuery = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.url.includes("?")) {
    const flaws = Object.keys(c.req.query()).map((name) => ({
      pointer: `/query/${name}`,
      message: "This parameter is not known here.",
    }));
    if (flaws.length > 0) throw new Problem("validation_failed", "One or more query parameters are not known.", flaws);
  }
  await next();
});
