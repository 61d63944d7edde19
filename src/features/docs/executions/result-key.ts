// Where results lie in the bucket.

export const resultKey = (teamId: string, runId: string, executionId: string): string =>
  `${teamId}/${resultPath(runId, executionId)}`;

/** Of one execution; what its sandbox knows it by, below the team's own prefix. */
export const resultPath = (runId: string, executionId: string): string => `runs/${runId}/${executionId}`;
