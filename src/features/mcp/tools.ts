// Every tool, in the order in which they are listed.

import { invalidAt } from "../../core/problem.ts";
import type { OperationCalls } from "./operation-calls.ts";
import { isOfferedTo, TOOL_GROUPS, type Tool } from "./tool.ts";
import { describeTable, getContext, searchTool } from "./tools/context.ts";
import { saveDoc } from "./tools/docs.ts";
import { driveFile } from "./tools/drive.ts";
import { getLogs, listRuns, runTool } from "./tools/runs.ts";
import { semanticMeta, semanticQuery } from "./tools/semantic.ts";
import { runSql, writeSql } from "./tools/statements.ts";
import { visualize } from "./tools/visualize.ts";

export const TOOLS: readonly Tool[] = [
  ...[getContext, searchTool, describeTable, semanticMeta, semanticQuery, runSql, writeSql],
  ...[visualize, saveDoc, listRuns, runTool, getLogs, driveFile],
];

/** `names`: of tools or groups; absent: all. */
export type ToolChoice = { readOnly: boolean; names: readonly string[] | undefined };

/** The tools that the caller may use, and has asked for. Throws `validation_failed` for a name that no tool has. */
export function chooseTools(calls: OperationCalls, { readOnly, names }: ToolChoice): Tool[] {
  const known = [...TOOL_GROUPS, ...TOOLS.map(({ name }) => name)] as string[];
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const message = `There is no tool or group ${unknown}. There are ${known.join(", ")}.`;
    throw invalidAt("/query/tools", message);
  }
  return TOOLS.filter(
    (one) =>
      isOfferedTo(calls, one) &&
      (one.reads || !readOnly) &&
      (names === undefined || names.includes(one.name) || names.includes(one.group)),
  );
}
