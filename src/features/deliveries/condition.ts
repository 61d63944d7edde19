// A delivery's condition says when it goes out: always, or as its results turn from well to not well. Pure.

import { z } from "@hono/zod-openapi";
import type { deliveries } from "../../platform/db/schema/question-schema.ts";

const Column = z.string().min(1).max(1_000).openapi({ description: "Its value in the first row is looked at." });

const OPERATORS = [">", ">=", "<", "<=", "=", "!="] as const;
type Operator = (typeof OPERATORS)[number];

const Dataset = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .openapi({ description: "Of a doc: the dataset that is looked at. Absent: the first that is sent." });

export const DeliveryCondition = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("rows"), dataset: Dataset }).openapi("RowsCondition"),
    z.strictObject({ kind: z.literal("no_rows"), dataset: Dataset }).openapi("NoRowsCondition"),
    z
      .strictObject({
        kind: z.literal("value"),
        dataset: Dataset,
        column: Column,
        operator: z.enum(OPERATORS),
        value: z.number(),
      })
      .openapi("ValueCondition"),
    z
      .strictObject({
        kind: z.literal("change"),
        dataset: Dataset,
        column: Column,
        more_than: z.number().min(0).openapi({ description: "How far it may be from the value of the run before." }),
        unit: z.enum(["absolute", "percent"]).default("absolute"),
      })
      .openapi("ChangeCondition"),
  ])
  .openapi("DeliveryCondition", { example: { kind: "value", column: "errors", operator: ">", value: 0 } });
export type DeliveryCondition = z.infer<typeof DeliveryCondition>;

/** What a condition sees of a result. `first`: the number that a column has in the first row; undefined without one. */
export type Seen = { rowCount: number; first(column: string): number | undefined };

/** What is kept from one run to the next. */
export type ConditionState = NonNullable<(typeof deliveries.$inferSelect)["conditionState"]>;

export type Judgement = {
  /** Whether the run sends something: the condition holds, and did not at the run before. */
  isDue: boolean;
  /** Null where there is no condition. */
  state: ConditionState | null;
};

export function judge(condition: DeliveryCondition | null, before: ConditionState | null, seen: Seen): Judgement {
  if (!condition) return { isDue: true, state: null };
  const value = "column" in condition ? (seen.first(condition.column) ?? null) : seen.rowCount;
  const holds = doesHold(condition, before, value);
  const from = condition.kind === "change" && holds ? { from: before?.value ?? null } : {};
  // A run without a value does not make the next one the first.
  return { isDue: holds && before?.holds !== true, state: { holds, value: value ?? before?.value ?? null, ...from } };
}

/**
 * What a run is judged by, where nobody has got what was sent as the condition began to hold: a change is one from the
 * value that was known before it. `isLost`: nobody will get it any more.
 */
export const untold = (state: ConditionState, { isLost }: { isLost: boolean }): ConditionState => ({
  holds: state.holds && !isLost,
  value: state.from === undefined ? state.value : state.from,
});

function doesHold(condition: DeliveryCondition, before: ConditionState | null, value: number | null): boolean {
  if (value === null) return false;
  switch (condition.kind) {
    case "rows":
      return value > 0;
    case "no_rows":
      return value === 0;
    case "value":
      return COMPARE[condition.operator](value, condition.value);
    case "change":
      return isFarFrom(before?.value ?? null, value, condition);
  }
}

const COMPARE: Record<Operator, (value: number, bound: number) => boolean> = {
  ">": (value, bound) => value > bound,
  ">=": (value, bound) => value >= bound,
  "<": (value, bound) => value < bound,
  "<=": (value, bound) => value <= bound,
  "=": (value, bound) => value === bound,
  "!=": (value, bound) => value !== bound,
};

type Change = Extract<DeliveryCondition, { kind: "change" }>;

/** Nothing has changed at the first run. From zero, every change is more than any share of it. */
function isFarFrom(before: number | null, value: number, { more_than: most, unit }: Change): boolean {
  if (before === null) return false;
  const distance = Math.abs(value - before);
  return unit === "absolute" ? distance > most : distance * 100 > most * Math.abs(before);
}

/** A condition in words, for whoever gets the message. */
export function describeCondition(condition: DeliveryCondition, { value }: ConditionState): string {
  switch (condition.kind) {
    case "rows":
      return `The result has ${value} rows.`;
    case "no_rows":
      return "The result has no rows.";
    case "value":
      return `${condition.column} is ${value}, which is ${condition.operator} ${condition.value}.`;
    case "change":
      return `${condition.column} is ${value} now, a change of more than ${condition.more_than}${condition.unit === "percent" ? " %" : ""}.`;
  }
}
