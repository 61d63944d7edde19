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
import { ProgramObject, type Program } from "../container/program-object.ts";
import { settingsIn } from "../container/settings.ts";
import { enginesPerTeam } from "./engine-count.ts";
import { engineName, engineOf } from "./engine-names.ts";
import type { Heard, Placed, PlaceRequest } from "./placement/placement.ts";
import { Placer } from "./placement/placer.ts";

export const ENGINE: Program = { name: "engine", port: ENGINE_PORT, protocolHeader: ENGINE_HEADER, protocol: PROTOCOL };

/** An engine that a deployment allows no more goes to sleep so soon after its last statement. */
const SURPLUS_SLEEP_AFTER = "1m";
/** The key of the highest ordinal of an engine that may run, in the first one's storage. */
const HIGHEST = "highest-engine";
const NOT_FOUND = 404;

type Method = "GET" | "POST" | "DELETE";

export class EngineObject extends ProgramObject {
  readonly #placer = new Placer({
    look: (ordinal) => this.#engine(ordinal).look(),
    wake: (ordinal) => this.#engine(ordinal).wake(),
    note: (ordinal) => this.#note(ordinal),
  });
  #keptHighest: number | undefined;

  constructor(ctx: DurableObjectState<{}>, env: Env) {
    super(ctx, env, ENGINE);
    if (isSurplus(ctx.id, env)) this.sleepAfter = SURPLUS_SLEEP_AFTER;
  }

  /** Of the first engine: names the engine for a statement that only reads; null where each has refused it. */
  async placeStatement(request: PlaceRequest): Promise<Placed | null> {
    if (this.isRemoved) return { ordinal: 0, waits: null, wakes: null };
    return this.#placer.place(request);
  }

  /** Of the first engine: a statement that was placed has ended. */
  endStatement(id: string, how: { isLost: boolean }): void {
    this.#placer.end(id, how);
  }

  /**
   * Of the first engine: asks about one statement where it was placed. One that is not known there is asked for at this
   * engine, and then at each other that may run; one that runs and can't be asked may have it.
   */
  async askOfStatement(id: string, method: Method, path: string): Promise<Response | undefined> {
    const ask = async (ordinal: number) => known(await this.#engine(ordinal).askRunning(method, path));
    const placedAt = this.#placer.whereIs(id) ?? 0;
    const found = (await ask(placedAt)) ?? (placedAt === 0 ? undefined : await ask(0));
    if (found) return found;
    const others = (await this.#others()).filter((ordinal) => ordinal !== placedAt);
    const answers = (await Promise.all(others.map(ask))).filter((answer) => answer !== undefined);
    const answer = answers.find(({ ok }) => ok) ?? answers[0];
    await Promise.all(answers.map((other) => (other === answer ? undefined : other.body?.cancel())));
    return answer;
  }

  /** What the engine says of its load, without being started for it. */
  async look(): Promise<Heard> {
    if (!this.isRunning()) return "asleep";
    const status = EngineStatus.safeParse(await this.readStatus());
    return status.data ?? ((await this.getState()).status === "healthy" ? "silent" : "starting");
  }

  /** Of the first engine: the others go before it, so that a removal that broke off finds them again. */
  override async remove(): Promise<void> {
    await Promise.all((await this.#others()).map((ordinal) => this.#engine(ordinal).remove()));
    await super.remove();
    this.#keptHighest = 0;
  }

  protected override environment(secret: string): EngineEnvironment {
    const { PLATFORM_URL, S3_DIAL, HOSTS_ALLOWED } = this.env;
    return { ...settingsIn(this.env, ENGINE_SETTINGS), ENGINE_SECRET: secret, PLATFORM_URL, S3_DIAL, HOSTS_ALLOWED };
  }

  protected override isBusy(status: unknown): boolean {
    const { statements, jobs } = EngineStatus.parse(status);
    return statements + jobs > 0;
  }

  #engine(ordinal: number): Pick<EngineObject, "look" | "wake" | "askRunning" | "remove"> {
    if (ordinal === 0) return this;
    const { name } = this.ctx.id;
    if (name === undefined) throw new Error("An engine's object has no name.");
    return this.env.ENGINE.getByName(engineName(engineOf(name).teamId, ordinal));
  }

  /** The ordinals of engines that may run besides the first. */
  async #others(): Promise<number[]> {
    return Array.from({ length: await this.#highest() }, (_, index) => index + 1);
  }

  async #highest(): Promise<number> {
    this.#keptHighest ??= (await this.ctx.storage.get<number>(HIGHEST)) ?? 0;
    return this.#keptHighest;
  }

  /** Before the engine is started: whoever looks for what runs finds it. */
  async #note(ordinal: number): Promise<void> {
    if (ordinal <= (await this.#highest())) return;
    await this.ctx.storage.put(HIGHEST, ordinal);
    this.#keptHighest = ordinal;
  }
}

/** The answer of an engine that has the statement, or may have it: one that runs and gave no answer of its own. */
async function known(answer: Response | undefined): Promise<Response | undefined> {
  if (answer?.status !== NOT_FOUND) return answer;
  await answer.body?.cancel();
  return undefined;
}

/** The runtime may know no name where an object is woken by its alarm: such an engine sleeps as any other does. */
const isSurplus = ({ name }: DurableObjectId, env: Env): boolean =>
  name !== undefined && engineOf(name).ordinal >= enginesPerTeam(env);
