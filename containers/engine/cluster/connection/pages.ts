// The answers of Trino's protocol to one statement, each held to the form that it has to have.

import { z } from "zod";
import { ErrorBody, protocolViolation } from "./errors.ts";

/** A type as the protocol describes it: `decimal` with two numbers, `array` with a type. */
export type TypeSignature = { rawType: string; arguments: { kind: string; value: unknown }[] };

const TypeSignature: z.ZodType<TypeSignature> = z.object({
  rawType: z.string().max(200),
  arguments: z.array(z.object({ kind: z.string(), value: z.unknown() })).max(10_000),
});

const ClusterColumn = z.object({ name: z.string(), type: z.string(), typeSignature: TypeSignature });
export type ClusterColumn = z.infer<typeof ClusterColumn>;

const Count = z
  .number()
  .nonnegative()
  .transform((count) => Math.min(Math.round(count), Number.MAX_SAFE_INTEGER))
  .catch(0);

const Answer = z.object({
  id: z.string().regex(/^\w{1,100}$/),
  nextUri: z.string().nullish(),
  columns: z.array(ClusterColumn).nullish(),
  // Looked at row by row: a copy of a page would take as much again.
  data: z.custom<unknown[][]>((data) => Array.isArray(data) && data.every(Array.isArray)).nullish(),
  stats: z.object({ state: z.string(), physicalInputBytes: Count.optional() }),
  error: ErrorBody.nullish(),
  updateType: z.string().nullish(),
});
export type Answer = z.infer<typeof Answer>;

/** So many digits before any point may be more than a double holds; texts that look like them cost time alone. */
const LONG_NUMBER = /(?<![\d.])\d{16}/;

/** Throws a Failure. Whole numbers that no double holds are texts. */
export function readAnswer(body: Buffer): Answer {
  const parsed = Answer.safeParse(parseExactly(body.toString()));
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join(".") ?? "";
  return protocolViolation(`an answer has not the form of one${where === "" ? "" : ` (${where})`}`);
}

function parseExactly(text: string): unknown {
  try {
    return LONG_NUMBER.test(text)
      ? JSON.parse(text, exactly as (key: string, value: unknown) => unknown)
      : JSON.parse(text);
  } catch {
    return protocolViolation("an answer is no JSON");
  }
}

const exactly = (_: string, value: unknown, context: { source?: string }): unknown =>
  typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value) ? context.source : value;
