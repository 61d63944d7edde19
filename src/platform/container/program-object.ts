// A program object is one team's container of a kind: the lock around its program's life, and the only path to it.

import { Container } from "@cloudflare/containers";
import { SUCCESSOR_HEADER } from "../../../kernel/wire/successor.ts";
import { toHex } from "../../core/encoding.ts";
import { LIMITS } from "../../core/limits.ts";
import { withContainer } from "./supervised-container.ts";
import { unavailable } from "./unavailable.ts";

const STATUS_MS = 2_000;
/** A program that is being stopped takes up to 8 s to end what it works on. */
const ENDING_MS = 10_000;
/** A read that was broken off later than so is not repeated: who asked has waited for long. */
const REPEATED_MS_MAX = 30_000;
/**
 * A request that waits is no sign that the program stands still; this many looks at its state without an answer are.
 */
const LOOK_EVERY_MS = 5_000;
const LOOK_MS = 5_000;
const LOOKS_MISSED_MAX = 3;
const POLL_MS = 50;
/** A request finds its program dead, or on its way out, at most this often before it gives up. */
const STARTS_MAX = 3;

/**
 * What is known of a program before it runs: its name among the supervisor's, its port, and the header and number by
 * which its answers are known.
 */
export type Program = { name: "engine" | "sandbox"; port: number; protocolHeader: string; protocol: number };

type Body = string | ReadableStream | null;

export abstract class ProgramObject extends Container<Env> {
  override sleepAfter = "10m";
  override enableInternet = true;
  readonly #program: Program;
  #starting: Promise<void> | undefined;
  /** The end of the program that said it is being stopped. */
  #ending: Promise<void> | undefined;
  /** Secret of the program that runs, as it is stored; only its start sets it. */
  #keptSecret: string | undefined;
  #isRemoved = false;

  constructor(ctx: DurableObjectState<{}>, env: Env, program: Program) {
    super(withContainer(ctx, env, program.name), env);
    this.defaultPort = program.port;
    this.#program = program;
  }

  /** What the program is started with; `secret` is this boot's. */
  protected abstract environment(secret: string): Record<string, string>;

  /**
   * Whether the program works on something that no request waits for. `status` is what it answered for its state;
   * throws where that is not its own.
   */
  protected abstract isBusy(status: unknown): boolean;

  /**
   * Passes a request on to the program, which is started where it doesn't run. A request that never reached one, or
   * that one leaves to its successor, is repeated on a new one; one that broke off after it was sent is not, for it may
   * have been worked on.
   * What the program did not answer is a 503 that names its reason and lacks the program's header.
   */
  override async fetch(request: Request): Promise<Response> {
    const { method } = request;
    const path = pathOf(request.url);
    // What is PUT is as long as it likes: it streams, and so can be sent but once.
    const body =
      method === "GET" || method === "DELETE" ? null : method === "PUT" ? request.body : await request.text();
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === STARTS_MAX || body instanceof ReadableStream;
      try {
        await this.#ending;
        if (request.signal.aborted) return unavailable("start", "Whoever asked has gone.");
        await this.#startOnce();
      } catch (error) {
        return unavailable(isFull(error) ? "full" : "start", error);
      }
      const [boot, sentAt] = [this.#keptSecret, Date.now()];
      try {
        const answer = await this.#sendWatched(method, path, body, request.signal);
        const isForSuccessor = answer.headers.has(SUCCESSOR_HEADER) && Date.now() - sentAt < REPEATED_MS_MAX;
        if (!isForSuccessor || isLast || request.signal.aborted) return answer;
        await answer.body?.cancel();
        if (boot === this.#keptSecret) this.#ending ??= this.#awaitEnd(boot).finally(() => (this.#ending = undefined));
      } catch (error) {
        if (error instanceof Hung) return unavailable("hung", error);
        if (!isNotListening(error)) return unavailable("lost", error);
        if (isLast) return unavailable("start", error);
        // The runtime learns of a program's end a little later than its callers.
        await until(async () => !this.isRunning(), STATUS_MS);
      }
    }
  }

  /** Asks the program only if it runs: what is asked about does not outlive it, so no answer is one too. */
  async askRunning(method: "GET" | "POST" | "DELETE", path: string): Promise<Response | undefined> {
    if (!this.isRunning()) return undefined;
    try {
      return await this.#send(method, path, null);
    } catch (error) {
      return isNotListening(error) ? undefined : unavailable("lost", error);
    }
  }

  /**
   * Whether the program can be reached: one that runs answers as ours, one that sleeps is not woken to find out.
   */
  async probe(): Promise<boolean> {
    return !this.isRunning() || (await this.#status()) !== undefined;
  }

  /** Starts the program where it doesn't run; settles when it listens. Rejects where it can't be started. */
  async wake(): Promise<void> {
    await this.#ending;
    await this.#startOnce();
  }

  /** Ends the program and forgets all that is kept of it; it is started no more. */
  async remove(): Promise<void> {
    this.#isRemoved = true;
    const hasProgram = this.isRunning();
    await this.destroy();
    // What is written down after the storage is empty would stay.
    if (hasProgram) await until(() => this.#isEndNoted(), STATUS_MS);
    await this.ctx.storage.deleteAll();
  }

  /** Without its tables the class above would fail after it had set the next alarm, and so for ever. */
  override async alarm(...invocation: Parameters<Container["alarm"]>): Promise<void> {
    if (this.#isRemoved) await this.ctx.storage.deleteAll();
    else await super.alarm(...invocation);
  }

  /** Sleep counts requests only; the program knows of work that goes on without one. */
  override async onActivityExpired(): Promise<void> {
    const status = await this.#status();
    if (status?.isBusy) this.renewActivityTimeout();
    else await this.stop();
  }

  override onError(error: unknown): void {
    console.error(
      JSON.stringify({ event: `${this.#program.name}_error`, object: this.ctx.id.toString(), cause: String(error) }),
    );
  }

  protected isRunning(): boolean {
    return this.ctx.container?.running === true;
  }

  protected isEnding(): boolean {
    return this.#ending !== undefined;
  }

  /**
   * What the program answers for its state; undefined where it does not run, or does not say so in time. To be asked
   * does not keep it from its sleep.
   */
  protected async readStatus(deadlineMs = STATUS_MS): Promise<unknown> {
    if (!this.isRunning()) return undefined;
    const { protocolHeader, protocol } = this.#program;
    try {
      const answer = await this.#dial("GET", "/status", null, AbortSignal.timeout(deadlineMs));
      return answer.headers.get(protocolHeader) === String(protocol) ? await answer.json() : undefined;
    } catch {
      return undefined;
    }
  }

  #startOnce(): Promise<void> {
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #start(): Promise<void> {
    this.#refuseRemoved();
    const isRunning = this.isRunning();
    if (!isRunning) await this.#renewSecret();
    this.#keptSecret ??= await this.#secret();
    if (isRunning && (await this.getState()).status === "healthy") return;
    const envVars = this.environment(await this.#secret());
    this.#refuseRemoved();
    await this.startAndWaitForPorts({
      ports: this.#program.port,
      startOptions: { envVars, enableInternet: true },
      cancellationOptions: { portReadyTimeoutMS: LIMITS.engineStartMs, waitInterval: POLL_MS },
    }).finally(() => this.#isRemoved && this.destroy());
    this.#refuseRemoved();
  }

  #refuseRemoved(): void {
    if (this.#isRemoved) throw new Error("This program's team is gone.");
  }

  /** Waits until the program of this boot, which is being stopped, has ended; ends it where it does not in time. */
  async #awaitEnd(boot: string | undefined): Promise<void> {
    await until(async () => !this.isRunning() || this.#keptSecret !== boot, ENDING_MS);
    if (this.isRunning() && this.#keptSecret === boot) await Promise.race([this.destroy(), scheduler.wait(STATUS_MS)]);
  }

  /** Before the start: an object that is evicted in between finds the secret its program was started with. */
  async #renewSecret(): Promise<void> {
    this.#keptSecret = undefined;
    await this.ctx.storage.put("secret", newSecret());
  }

  async #secret(): Promise<string> {
    return this.#keptSecret ?? (await this.ctx.storage.get<string>("secret")) ?? "";
  }

  #send(method: string, path: string, body: Body, signal?: AbortSignal): Promise<Response> {
    this.renewActivityTimeout();
    return this.#dial(method, path, body, signal);
  }

  async #dial(method: string, path: string, body: Body, signal?: AbortSignal): Promise<Response> {
    const container = this.ctx.container;
    if (!container) throw new Error("There is no container behind this object.");
    return container
      .getTcpPort(this.#program.port)
      .fetch(`http://${this.#program.name}${path}`, {
        method,
        body,
        headers: {
          authorization: `Bearer ${await this.#secret()}`,
          ...(body === null ? {} : { "content-type": "application/json" }),
        },
        ...(signal ? { signal } : {}),
      });
  }

  /**
   * Sends, and looks meanwhile whether the program lives. One that stands still is killed: nothing else would end it.
   */
  async #sendWatched(method: string, path: string, body: Body, signal: AbortSignal): Promise<Response> {
    const [answered, hung] = [new AbortController(), new AbortController()];
    void this.#watch(answered.signal).then((isHung) => isHung && hung.abort(new Hung()));
    try {
      return await this.#send(method, path, body, AbortSignal.any([signal, hung.signal]));
    } catch (error) {
      if (!hung.signal.aborted) throw error;
      await this.destroy();
      throw hung.signal.reason;
    } finally {
      answered.abort();
    }
  }

  /** True once the program has not answered for its state for long; false when the signal comes first. */
  async #watch(signal: AbortSignal): Promise<boolean> {
    for (let missed = 0; missed < LOOKS_MISSED_MAX; ) {
      await scheduler.wait(LOOK_EVERY_MS, { signal }).catch(() => undefined);
      if (signal.aborted) return false;
      this.renewActivityTimeout();
      missed = (await this.#status(LOOK_MS)) ? 0 : missed + 1;
    }
    return !signal.aborted;
  }

  async #status(deadlineMs?: number): Promise<{ isBusy: boolean } | undefined> {
    const status = await this.readStatus(deadlineMs);
    try {
      return status === undefined ? undefined : { isBusy: this.isBusy(status) };
    } catch {
      return undefined;
    }
  }

  /** The class above writes it down when it hears of it. */
  async #isEndNoted(): Promise<boolean> {
    return (await this.getState()).status.startsWith("stopped");
  }
}

/** Waits for what is soon so, and no longer than `waitMs`. */
async function until(isSo: () => Promise<boolean>, waitMs: number): Promise<void> {
  for (let waited = 0; !(await isSo()) && waited < waitMs; waited += POLL_MS) await scheduler.wait(POLL_MS);
}

class Hung extends Error {
  constructor() {
    super(`The program did not answer for its state ${LOOKS_MISSED_MAX} times.`);
  }
}

const newSecret = (): string => toHex(crypto.getRandomValues(new Uint8Array(32)));

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

const says = (error: unknown, words: string) => error instanceof Error && error.message.toLowerCase().includes(words);
const isNotListening = (error: unknown) => says(error, "the container is not listening");
const isFull = (error: unknown) =>
  says(error, "no container instance") || says(error, "too many containers") || says(error, "max_instances");
