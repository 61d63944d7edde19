// Bounds of linked files.

export const LINKED_FILE_LIMITS = {
  daysMax: 30,
  perTeamMax: 10_000,
  nameCharactersMax: 200,
  pageMax: 250,
  /** A tick deletes at most so many rows with their objects. */
  deletedPerSweepMax: 200,
} as const;
