// Where results lie in the bucket.

/** All a run leaves behind. */
export const resultsPrefix = ({ teamId, id }: { teamId: string; id: string }): string => `${teamId}/${resultPath(id, "")}`;

/** Of one execution; what its sandbox knows it by, below the team's own prefix. */
export const resultPath = (runId: string, executionId: string): string => `runs/${runId}/${executionId}`;
