// A team's engine objects are named by the team and an ordinal. The first has the team's own name.

export const engineName = (teamId: string, ordinal: number): string =>
  ordinal === 0 ? teamId : `${teamId}/${ordinal}`;

/** The inverse of {@link engineName}. */
export function engineOf(name: string): { teamId: string; ordinal: number } {
  const [teamId = "", ordinal = "0"] = name.split("/");
  return { teamId, ordinal: Number(ordinal) };
}
