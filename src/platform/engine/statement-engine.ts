// One statement's way to an engine of its team: to the first, or, where it only reads and the team has several, to the
// one that the first engine's object names.

import type { StatementRequest } from "../../../kernel/wire/engine.ts";
import { isProblem, Problem } from "../../core/problem.ts";
import type { TeamPlan } from "../../core/teams/plans.ts";
import { Unavailable } from "../container/client.ts";
import { waitFor } from "../container/wait-for.ts";
import { openEngine, type Engine } from "./engine.ts";
import { enginesOf } from "./engine-count.ts";
import type { Waits } from "./placement/choose.ts";
import type { Placed, Refusal } from "./placement/placement.ts";
import { isRead, keysOf } from "./placement/statement-keys.ts";

export type StatementEngine = Pick<Engine, "runStatement" | "startStatement" | "renewStatement" | "cancelStatement"> & {
  /** Where the statement went, in words for its caller; undefined where the team has one engine. */
  readonly placement: string | undefined;
  /** Says that the statement has ended, so that another may have its place. Never rejects. */
  end(): Promise<void>;
};

type EngineEnv = Pick<Env, "ENGINE" | "ENGINES_PER_TEAM">;

/** A statement whose placing takes longer goes to the first engine. */
const PLACE_MS = 3_000;

export function openStatementEngine(env: EngineEnv, teamId: string, plan: TeamPlan): StatementEngine {
  const engines = enginesOf(env, plan);
  const first = openEngine(env, teamId);
  return engines > 1 ? new Placing(env, teamId, engines) : { ...first, placement: undefined, end: async () => {} };
}

class Placing implements StatementEngine {
  readonly #env: EngineEnv;
  readonly #teamId: string;
  readonly #engines: number;
  readonly #first: Engine;
  /** The engine that the statement was taken to last. */
  #engine: Engine;
  #placedId: string | undefined;
  #isLost = false;
  placement: string | undefined;

  constructor(env: EngineEnv, teamId: string, engines: number) {
    this.#env = env;
    this.#teamId = teamId;
    this.#engines = engines;
    this.#first = openEngine(env, teamId);
    this.#engine = this.#first;
  }

  readonly runStatement: Engine["runStatement"] = (statement, signal) =>
    this.#take(statement, (engine) => engine.runStatement(statement, signal));

  readonly startStatement: Engine["startStatement"] = (request) =>
    this.#take(request.statement, (engine) => engine.startStatement(request));

  readonly renewStatement: Engine["renewStatement"] = (id) => this.#engine.renewStatement(id);

  readonly cancelStatement: Engine["cancelStatement"] = (id, sender) => this.#engine.cancelStatement(id, sender);

  readonly end = async (): Promise<void> => {
    if (this.#placedId === undefined) return;
    const ending = this.#stub().endStatement(this.#placedId, { isLost: this.#isLost });
    this.#placedId = undefined;
    await waitFor(ending, { deadlineMs: PLACE_MS }).catch(() => undefined);
  };

  /** Takes the statement to one engine after another, as long as they refuse it without having begun. */
  async #take<Answer>(statement: StatementRequest, take: (engine: Engine) => Promise<Answer>): Promise<Answer> {
    if (!isRead(statement)) return take(this.#first);
    const refusals: Refusal[] = [];
    for (let refused: unknown; ; ) {
      const ordinal = await this.#place(statement, refusals);
      if (ordinal === null) throw refusals.every(isFull) ? allFull(refused, refusals) : refused;
      this.#engine = ordinal === 0 ? this.#first : openEngine(this.#env, this.#teamId, ordinal);
      try {
        return await take(this.#engine);
      } catch (error) {
        const reason = refusalOf(error);
        this.#isLost = error instanceof Unavailable && (error.reason === "lost" || error.reason === "hung");
        // The place belongs to the statement of this id that runs already.
        if (isProblem(error) && error.code === "work_in_progress") this.#placedId = undefined;
        if (reason === undefined) throw error;
        // A full engine says when it is worth a repeat; one that can't be started does not.
        if (reason === "full" || !refusals.some(isFull)) refused = error;
        refusals.push({ ordinal, reason });
      }
    }
  }

  /** The first engine where none can be named: a statement needs no place to be run. Null where each has refused. */
  async #place(statement: StatementRequest, refusals: readonly Refusal[]): Promise<number | null> {
    const { id, target } = statement;
    const keys = keysOf(statement);
    const request = { id, keys, takesSlot: target.kind === "lake", engines: this.#engines, refusals };
    // Also where the answer is late: the object may have placed it.
    this.#placedId = id;
    try {
      const placing = this.#stub().placeStatement(this.#teamId, request);
      const placed = await waitFor<Placed | null>(placing, { deadlineMs: PLACE_MS });
      if (placed) this.placement = describe(placed, this.#engines);
      return placed?.ordinal ?? null;
    } catch (error) {
      console.warn(JSON.stringify({ event: "statement_not_placed", teamId: this.#teamId, cause: String(error) }));
      return refusals.length === 0 ? 0 : null;
    }
  }

  #stub() {
    return this.#env.ENGINE.getByName(this.#teamId);
  }
}

/** Undefined for a failure of the statement itself, and where the engine may have worked on it. */
function refusalOf(error: unknown): Refusal["reason"] | undefined {
  if (error instanceof Unavailable) return error.reason === "full" || error.reason === "start" ? "down" : undefined;
  return isProblem(error) && error.code === "too_many_requests" ? "full" : undefined;
}

const isFull = ({ reason }: Refusal): boolean => reason === "full";

/** The last engine's refusal, which says the place there, as that of all. */
function allFull(refused: unknown, refusals: readonly Refusal[]): unknown {
  if (!isProblem(refused) || refusals.length === 1) return refused;
  const problem = new Problem(
    refused.code,
    `Each of the team's ${refusals.length} engines has taken on as many statements as it can. ${refused.message}`,
    [],
    { cause: refused },
  );
  if (refused.retryAfterSeconds !== undefined) problem.retryAfterSeconds = refused.retryAfterSeconds;
  if (refused.isRead) problem.isRead = true;
  return problem;
}

const REASONS: Record<Waits["reason"], string> = {
  slots: "for a slot",
  start: "for its start",
  full: "where each engine is full",
};

/** As `engine 2 of 2`, and the place in its line. Within the header a comma would end it for simple readers. */
function describe({ ordinal, waits }: Placed, engines: number): string {
  const engine = `engine ${ordinal + 1} of ${engines}`;
  return waits ? `${engine} (place ${waits.place} ${REASONS[waits.reason]})` : engine;
}
