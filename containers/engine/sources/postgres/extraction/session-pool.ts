// The sessions that read one snapshot. A reader reads a table; helpers read ranges of a large one beside its reader,
// and give way where the server has no session for another reader.

import type { PostgresSession } from "./session.ts";

export type SessionUse = "reader" | "helper";

export class SessionPool {
  readonly #open: (signal: AbortSignal) => Promise<PostgresSession>;
  readonly #helpersMax: number;
  /** A session that could not be opened is among them until somebody wants it. */
  readonly #idle: Promise<PostgresSession>[] = [];
  readonly #helping = new Set<Promise<void>>();
  #mayHelp = true;

  constructor(open: (signal: AbortSignal) => Promise<PostgresSession>, helpersMax: number) {
    this.#open = open;
    this.#helpersMax = helpersMax;
  }

  /** Opens a session that somebody will take soon. */
  openAhead(signal: AbortSignal): void {
    const opening = this.#open(signal);
    opening.catch(() => undefined);
    this.#idle.push(opening);
  }

  /** Whether a helper may take one more range: not any more once a reader had no session. */
  get mayHelp(): boolean {
    return this.#mayHelp;
  }

  /** Whether one more helper may begin. */
  get hasHelper(): boolean {
    return this.#mayHelp && this.#helping.size < this.#helpersMax;
  }

  /** Counts a helper until `work` has settled, which never rejects. */
  addHelper(work: Promise<void>): void {
    const ended = work.then(() => void this.#helping.delete(ended));
    this.#helping.add(ended);
  }

  /** Where a reader can't have a session, the helpers end with their ranges, and it has one of theirs. */
  async take(signal: AbortSignal, use: SessionUse): Promise<PostgresSession> {
    try {
      return await (this.#idle.pop() ?? this.#open(signal));
    } catch (error) {
      if (use === "helper" || this.#helping.size === 0) throw error;
      this.#mayHelp = false;
      await Promise.all(this.#helping);
      return this.#idle.pop() ?? this.#open(signal);
    }
  }

  /** Takes a session back, in which nothing runs. */
  giveBack(session: PostgresSession): void {
    this.#idle.push(Promise.resolve(session));
  }

  /** Closes the sessions that nobody has taken. Never rejects. */
  async close(): Promise<void> {
    const sessions = this.#idle.splice(0);
    await Promise.all(sessions.map((opening) => opening.then((session) => session.close()).catch(() => undefined)));
  }
}
