// Nudges about runs. They say only that there may be something to do: the row says what.

export type RunName = { teamId: string; id: string };
type Nudges = Pick<Env, "NUDGES">;

const BATCH_MAX = 100;
/** The longest a queue holds a message back. */
const DELAY_SECONDS_MAX = 43_200;

const messageOf = ({ teamId, id }: RunName) => ({ kind: "sync_run", version: 1, teamId, id });

/** A nudge that can't be sent is made up for by the sweep, so it is no failure of whoever sends it. */
export async function nudgeRun({ NUDGES }: Nudges, run: RunName, delayMs = 0): Promise<void> {
  const delaySeconds = Math.min(DELAY_SECONDS_MAX, Math.max(0, Math.ceil(delayMs / 1_000)));
  await NUDGES.send(messageOf(run), { delaySeconds }).catch((error: unknown) => logLost(error, 1));
}

export async function nudgeRuns({ NUDGES }: Nudges, runs: RunName[]): Promise<void> {
  for (let first = 0; first < runs.length; first += BATCH_MAX) {
    const batch = runs.slice(first, first + BATCH_MAX);
    await NUDGES.sendBatch(batch.map((run) => ({ body: messageOf(run) }))).catch((error: unknown) =>
      logLost(error, batch.length),
    );
  }
}

const logLost = (error: unknown, nudges: number): void =>
  console.error(JSON.stringify({ event: "nudge_not_sent", kind: "sync_run", nudges, cause: String(error) }));
