// The lines of a log as they arrive in pages: each once, in their order, wherever a page begins.

export type LogLine = { offset: number; at: string; source: string; message: string };

/** What is known, and what a page brings, whose lines may be known already. */
export function joinLines<Line extends { offset: number }>(known: readonly Line[], page: readonly Line[]): Line[] {
  const last = known.at(-1)?.offset ?? -1;
  return [...known, ...page.filter(({ offset }) => offset > last)];
}

/** Where the next page begins. */
export const nextOffset = (known: readonly { offset: number }[]): number => (known.at(-1)?.offset ?? -1) + 1;

type LevelledLine = Omit<LogLine, "source"> & { level: string };

/** The lines of a log that tells levels and not sources: a level stands out as the source of its name does. */
export const ofLevels = (lines: readonly LevelledLine[]): LogLine[] =>
  lines.map(({ level, ...line }) => ({ ...line, source: level }));
