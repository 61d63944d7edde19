import type { Scope } from "../../../core/scope.ts";
import type { Run } from "../runs/run.ts";

/**
 * Whose lines of a run somebody may read; undefined: all. What a doc's datasets print was read with the owner's rights,
 * so it is theirs, and the admins', as it is in the logs of executions.
 */
export const sourcesFor = ({ userId, rights }: Pick<Scope, "userId" | "rights">, run: Run): string[] | undefined =>
  run.resourceType !== "doc" || run.ownerId === userId || rights.includes("docs:write") ? undefined : ["platform"];
