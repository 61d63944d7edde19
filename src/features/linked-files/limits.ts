// Bounds of linked files.

export const LINKED_FILE_LIMITS = {
  daysMax: 30,
  /** A link that was not handed over ends after so long; longer than whatever writes its file takes. */
  draftMs: 3_600_000,
  perTeamMax: 10_000,
  nameCharactersMax: 200,
  pageMax: 250,
  /** A tick deletes at most so many rows with their objects. */
  deletedPerSweepMax: 200,
} as const;
