// The deployment's settings that verbs ask for, checked when they are first asked for.

export type Settings = {
  /** Mints the first operator. Empty: nobody may. */
  readonly bootstrapSecret: string;
  /** How long a sync waits before its second attempt. */
  readonly syncRetryMs: number;
};

export const openSettings = (env: Pick<Env, "BOOTSTRAP_SECRET" | "SYNC_RETRY_SECONDS">): Settings => ({
  get bootstrapSecret() {
    return env.BOOTSTRAP_SECRET;
  },
  get syncRetryMs() {
    const seconds = Number(env.SYNC_RETRY_SECONDS);
    if (!(seconds > 0))
      throw new Error(`SYNC_RETRY_SECONDS is "${env.SYNC_RETRY_SECONDS}", which is no number of seconds.`);
    return seconds * 1_000;
  },
});
