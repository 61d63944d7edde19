// Bounds of the logs of runs.

export const LOG_LIMITS = {
  keptMs: 30 * 86_400_000,
  /** The lines of one team have so many bytes of messages. */
  bytesMax: 512 * 1024 * 1024,
  /** One run logs so many bytes: beyond them a job only fills the log. */
  streamBytesMax: 8 * 1024 * 1024,
  lineCharactersMax: 4_096,
  linesPerPageMax: 1_000,
} as const;
