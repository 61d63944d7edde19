// A tool: its one declaration. Who may call none of its operations is not offered it.

import type { z } from "@hono/zod-openapi";
import type { Right } from "../../core/scope.ts";
import type { OperationCalls } from "./operation-calls.ts";

export const TOOL_GROUPS = ["context", "query", "semantic", "docs", "runs", "drive"] as const;
export type ToolGroup = (typeof TOOL_GROUPS)[number];

type Declared<Input extends z.ZodObject> = {
  name: string;
  group: ToolGroup;
  title: string;
  /** What an agent reads before it chooses: each word is paid for in every conversation. */
  description: string;
  input: Input;
  /** The operations that it may call, each with its own right. */
  operations: readonly [string, ...string[]];
  /** A right that none of them asks for, and without which the tool would do nothing. */
  right?: Right;
  reads: boolean;
  /** Its answers are shown by the app of drawings, where a client has room for one. */
  isDrawn?: true;
  /** The value is told as JSON; one that was drawn is a `DrawnData`. Throws `Problem`. */
  run(calls: OperationCalls, input: z.output<Input>): Promise<unknown>;
};

export type Tool = Declared<z.ZodObject>;

/** Keeps the type of a tool's input while it is declared. */
export const tool = <Input extends z.ZodObject>(declared: Declared<Input>): Tool => declared as unknown as Tool;

/** Whether the caller may call any of a tool's operations. */
export const isOfferedTo = (calls: OperationCalls, { operations, right }: Tool): boolean =>
  operations.some((id) => calls.permits(id)) && (right === undefined || calls.ctx.scope.rights.includes(right));
