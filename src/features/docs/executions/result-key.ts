// An execution's result lies in the bucket under this key.

export const resultKey = (teamId: string, runId: string, executionId: string): string =>
  `${teamId}/${resultPath(runId, executionId)}`;

/** The path of one execution's result; its sandbox knows it by this path, below the team's own prefix. */
export const resultPath = (runId: string, executionId: string): string => `runs/${runId}/${executionId}`;
