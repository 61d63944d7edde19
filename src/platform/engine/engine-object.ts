// The engine object runs one of a team's engines. The object of the first engine also places statements among all of
// them, and knows which there may be.

import {
  ENGINE_HEADER,
  ENGINE_PORT,
  ENGINE_SETTINGS,
  PROTOCOL,
  type EngineEnvironment,
} from "../../../kernel/wire/engine-program.ts";
import { EngineStatus } from "../../../kernel/wire/engine.ts";
import type { Program } from "../container/program.ts";
import { ProgramObject } from "../container/program-object.ts";
import { settingsIn } from "../container/settings.ts";
import { unavailable } from "../container/unavailable.ts";
import { waitFor } from "../container/wait-for.ts";
import { enginesPerTeam } from "./engine-count.ts";
import { engineName, engineOf } from "./engine-names.ts";
import type { Heard, Placed, PlaceRequest } from "./placement/placement.ts";
import { Placer } from "./placement/placer.ts";

export const ENGINE: Program = { name: "engine", port: ENGINE_PORT, protocolHeader: ENGINE_HEADER, protocol: PROTOCOL };

/** An engine that a deployment allows no more goes to sleep so soon after its last statement. */
const SURPLUS_SLEEP_AFTER = "1m";
/** The key of {@link Further} in the first engine's storage. */
const FURTHER = "further-engines";
const NOT_FOUND = 404;
/** An engine that does not answer so soon keeps nobody from asking the others. */
const ASK_MS = 4_000;

export type StatementMethod = "GET" | "POST" | "DELETE";

/**
 * The engines that may run besides the first are those up to the highest ordinal that was ever used. The team's id is
 * kept with it, as the runtime may know no name of an object that its alarm has woken.
 */
type Further = { teamId: string | undefined; highest: number };

export class EngineObject extends ProgramObject {
  readonly #placer = new Placer({
    look: (ordinal) => this.#lookAt(ordinal),
    wake: (ordinal) => this.#engine(ordinal).wake(),
    note: (ordinal) => this.#note(ordinal),
  });
  /** Known before any engine but the first is asked. */
  #teamId: string | undefined;
  #keptFurther: Further | undefined;
  #isLeaving = false;

  constructor(ctx: DurableObjectState<{}>, env: Env) {
    super(ctx, env, ENGINE);
    if (isSurplus(ctx.id, env)) this.sleepAfter = SURPLUS_SLEEP_AFTER;
  }

  /** The first engine's object names the engine for a statement that only reads; null where each has refused it. */
  async placeStatement(teamId: string, request: PlaceRequest): Promise<Placed | null> {
    if (this.#isLeaving) return { ordinal: 0, waits: null, wakes: null };
    this.#teamId = teamId;
    return this.#placer.place(request);
  }

  /** The first engine's object is told that a statement which was placed has ended. */
  endStatement(id: string, how: { isLost: boolean }): void {
    this.#placer.end(id, how);
  }

  /**
   * The first engine's object asks about one statement where it was placed. One that does not run there, as far as is
   * known, is asked for at each engine that may run; one that can't be asked may have it.
   */
  async askOfStatement(id: string, method: StatementMethod, path: string): Promise<Response | undefined> {
    const ask = async (ordinal: number): Promise<Response | undefined> => {
      const asked = waitFor(this.#engine(ordinal).askRunning(method, path), { deadlineMs: ASK_MS });
      return known(await asked.catch((error: unknown) => unavailable("lost", error)));
    };
    const placedAt = this.#placer.whereIs(id);
    const atPlace = placedAt === undefined ? undefined : await ask(placedAt);
    if (atPlace?.ok) return atPlace;
    const others = [0, ...(await this.#others())].filter((ordinal) => ordinal !== placedAt);
    const answers = [atPlace, ...(await Promise.all(others.map(ask)))].filter((answer) => answer !== undefined);
    const answer = answers.find(({ ok }) => ok) ?? answers[0];
    await Promise.all(answers.map((other) => (other === answer ? undefined : other.body?.cancel())));
    return answer;
  }

  /** What the engine says of its load, without being started for it. */
  async look(): Promise<Heard> {
    if (!this.isRunning()) return "asleep";
    if (this.isEnding()) return "starting";
    const status = EngineStatus.safeParse(await this.readStatus());
    return status.data ?? ((await this.getState()).status === "healthy" ? "silent" : "starting");
  }

  /** The other engines go before the first, so that a removal that broke off finds them again. */
  override async remove(): Promise<void> {
    this.#isLeaving = true;
    await Promise.all((await this.#others()).map((ordinal) => this.#engine(ordinal).remove()));
    await super.remove();
    this.#keptFurther = undefined;
  }

  protected override environment(secret: string): EngineEnvironment {
    const { PLATFORM_URL, S3_DIAL, HOSTS_ALLOWED } = this.env;
    return { ...settingsIn(this.env, ENGINE_SETTINGS), ENGINE_SECRET: secret, PLATFORM_URL, S3_DIAL, HOSTS_ALLOWED };
  }

  protected override isBusy(status: unknown): boolean {
    const { statements, requests, jobs } = EngineStatus.parse(status);
    return statements + requests + jobs > 0;
  }

  #engine(ordinal: number): Pick<EngineObject, "look" | "wake" | "askRunning" | "remove"> {
    if (ordinal === 0) return this;
    if (this.#teamId === undefined) throw new Error("An engine's object does not know its team.");
    return this.env.ENGINE.getByName(engineName(this.#teamId, ordinal));
  }

  /** An engine that was never used has no object yet, and gets none by being looked at. */
  async #lookAt(ordinal: number): Promise<Heard> {
    return ordinal > (await this.#further()).highest ? "asleep" : this.#engine(ordinal).look();
  }

  /** The ordinals of engines that may run besides the first. */
  async #others(): Promise<number[]> {
    return Array.from({ length: (await this.#further()).highest }, (_, index) => index + 1);
  }

  async #further(): Promise<Further> {
    this.#keptFurther ??= (await this.ctx.storage.get<Further>(FURTHER)) ?? { teamId: undefined, highest: 0 };
    this.#teamId ??= this.#keptFurther.teamId;
    return this.#keptFurther;
  }

  /** Before the engine is started: whoever looks for what runs finds it. */
  async #note(ordinal: number): Promise<void> {
    if (ordinal <= (await this.#further()).highest) return;
    if (this.#isLeaving) throw new Error("The engine's team is gone.");
    const further: Further = { teamId: this.#teamId, highest: ordinal };
    await this.ctx.storage.put(FURTHER, further);
    this.#keptFurther = further;
  }
}

/** The answer of an engine that has the statement, or may have it: one that runs and gave no answer of its own. */
async function known(answer: Response | undefined): Promise<Response | undefined> {
  if (answer?.status !== NOT_FOUND || !answer.headers.has(ENGINE_HEADER)) return answer;
  await answer.body?.cancel();
  return undefined;
}

/** The runtime may know no name where an object is woken by its alarm: such an engine sleeps as any other does. */
const isSurplus = ({ name }: DurableObjectId, env: Env): boolean =>
  name !== undefined && engineOf(name).ordinal >= enginesPerTeam(env);
