// The placer of a team's statements: looks at the engines as often as the placement asks for, and starts those that it
// wants started.

import { waitFor } from "../../container/wait-for.ts";
import { Placement, type Heard, type Placed, type PlaceRequest } from "./placement.ts";

/** What a placer may do to a team's engines, by their ordinals. */
export type EngineAccess = {
  look(ordinal: number): Promise<Heard>;
  wake(ordinal: number): Promise<void>;
  /** Remembers that engines up to this one may run from now on. */
  note(ordinal: number): Promise<void>;
};

/** The first statement waits so long for what the engines say; the others go by what is known. */
const FIRST_LOOK_MS = 1_000;
/** An engine that says nothing for so long is passed over for a while. */
const LOOK_MS_MAX = 5_000;

export class Placer {
  readonly #engines: EngineAccess;
  readonly #placement = new Placement();
  #firstLook: Promise<unknown> | undefined;

  constructor(engines: EngineAccess) {
    this.#engines = engines;
  }

  /** Null where each engine has refused the statement. */
  async place(request: PlaceRequest): Promise<Placed | null> {
    const looking = this.#lookAround(request.engines);
    this.#firstLook ??= waitFor(looking, { deadlineMs: FIRST_LOOK_MS }).catch(() => undefined);
    await this.#firstLook;
    const placed = this.#placement.place(request, Date.now());
    if (!placed) return null;
    const { ordinal, wakes } = placed;
    await this.#engines.note(Math.max(ordinal, wakes ?? 0));
    if (wakes !== null) void this.#wake(wakes);
    return placed;
  }

  end(id: string, how: { isLost: boolean }): void {
    this.#placement.end(id, how, Date.now());
  }

  whereIs(id: string): number | undefined {
    return this.#placement.whereIs(id);
  }

  async #lookAround(engines: number): Promise<void> {
    await Promise.all(this.#placement.due(engines, Date.now()).map((ordinal) => this.#lookAt(ordinal)));
  }

  async #lookAt(ordinal: number): Promise<void> {
    const askedAtMs = Date.now();
    const looking = waitFor(this.#engines.look(ordinal), { deadlineMs: LOOK_MS_MAX });
    const heard = await looking.catch((): Heard => "silent");
    this.#placement.hear(ordinal, heard, askedAtMs, Date.now());
  }

  async #wake(ordinal: number): Promise<void> {
    try {
      await this.#engines.wake(ordinal);
      await this.#lookAt(ordinal);
    } catch (error) {
      console.warn(JSON.stringify({ event: "engine_not_started", ordinal, cause: String(error) }));
      this.#placement.failStart(ordinal, Date.now());
    }
  }
}
