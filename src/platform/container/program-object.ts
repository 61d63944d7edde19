// A program object is one team's container of a kind: the lock around its program's life, and the only path to it.

import { Container } from "@cloudflare/containers";
import { ENGINE_FAILURES } from "../../../kernel/wire/failures.ts";
import { SUCCESSOR_HEADER } from "../../../kernel/wire/successor.ts";
import { toHex } from "../../core/encoding.ts";
import { CONTAINER_LIMITS } from "./limits.ts";
import { Hung, isFull, isNotListening } from "./no-answer.ts";
import { answerFor, type Program } from "./program.ts";
import { withContainer } from "./supervised-container.ts";
import { unavailable } from "./unavailable.ts";
import { until } from "./wait-for.ts";
import { Cancelled, WaitingRequests } from "./waiting-requests.ts";

const STATUS_MS = 2_000;
/** A program that is being stopped takes up to 8 s to end what it works on. */
const ENDING_MS = 10_000;
/** A read that was broken off later than so is not repeated: who asked has waited for long. */
const REPEATED_MS_MAX = 30_000;
/** A request that waits is no sign of a program that stands still; this many looks without an answer are. */
const LOOK_EVERY_MS = 5_000;
const LOOK_MS = 5_000;
const LOOKS_MISSED_MAX = 3;
const POLL_MS = 50;
const NO_CONTENT = 204;
/** A request finds its program dead, or on its way out, at most this often before it gives up. */
const STARTS_MAX = 3;

type Body = string | ReadableStream | null;

export abstract class ProgramObject extends Container<Env> {
  override sleepAfter = "10m";
  override enableInternet = true;
  readonly #program: Program;
  readonly #waiting = new WaitingRequests();
  #starting: Promise<void> | undefined;
  /** The end of the program that said it is being stopped, or listens no more. */
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
   * What the program did not answer is a 503 that names its reason and lacks the program's header; a request that is
   * cancelled while it waits for the program has the answer that the program would give.
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
        await this.#waiting.wait(request, this.#readyFor(request.signal));
      } catch (error) {
        if (error instanceof Cancelled) return answerFor(this.#program, ENGINE_FAILURES.cancelled, error.failure);
        return unavailable(isFull(error) ? "full" : "start", error);
      }
      const [boot, sentAt] = [this.#keptSecret, Date.now()];
      try {
        const answer = await this.#sendWatched(method, path, body, request.signal);
        const isForSuccessor = answer.headers.has(SUCCESSOR_HEADER) && Date.now() - sentAt < REPEATED_MS_MAX;
        if (!isForSuccessor || isLast || request.signal.aborted) return answer;
        void answer.body?.cancel().catch(() => undefined);
        this.#endsBy(boot, () => this.#awaitEnd(boot));
      } catch (error) {
        if (error instanceof Hung) return unavailable("hung", error);
        if (!isNotListening(error)) return unavailable("lost", error);
        if (isLast) return unavailable("start", error);
        // The runtime learns of a program's end a little later than its callers.
        this.#endsBy(boot, () => until(async () => !this.isRunning(), STATUS_MS));
      }
    }
  }

  /**
   * Asks the program only if it runs: what is asked about does not outlive it, so no answer is one too. What waits for
   * the program is cancelled without it.
   */
  async askRunning(method: "GET" | "POST" | "DELETE", path: string): Promise<Response | undefined> {
    if (method === "DELETE" && this.#waiting.cancel(path)) return answerFor(this.#program, NO_CONTENT);
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

  async #readyFor(signal: AbortSignal): Promise<void> {
    await this.#ending;
    if (signal.aborted) throw new Error("Whoever asked has gone.");
    await this.#startOnce();
  }

  /** Has all wait for the end of the program of this boot, unless another has been started since. */
  #endsBy(boot: string | undefined, end: () => Promise<void>): void {
    if (boot === this.#keptSecret) this.#ending ??= end().finally(() => (this.#ending = undefined));
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
      cancellationOptions: { portReadyTimeoutMS: CONTAINER_LIMITS.startMs, waitInterval: POLL_MS },
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
    await this.ctx.storage.put("secret", toHex(crypto.getRandomValues(new Uint8Array(32))));
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
    void this.#watch(answered.signal).then((isHung) => isHung && hung.abort(new Hung(LOOKS_MISSED_MAX)));
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

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};
