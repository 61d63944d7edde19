// The queue as the runtime runs it: batches of ten to the Worker's own consumer, several at once, again after a
// failure, and to another queue after too many. Isolates die in the middle when a test says so.

import { env } from "cloudflare:workers";
import worker from "../../../../src/index.ts";
import { WakeUp } from "../../../../src/platform/messages.ts";

const QUEUE = "fjord-nudges";
const DEAD_LETTERS = "fjord-nudges-dead";
/** The queues' settings as wrangler.toml has them. */
const BATCH_MAX = 10;
const RETRIES_MAX = 5;

type Held = { body: unknown; atMs: number; attempts: number; queue: string };

export class QueueRuntime {
  readonly #clock: () => number;
  readonly #bindings: Partial<Env>;
  #held: Held[] = [];
  readonly #lives: number[];
  #isolate: Isolate;
  /** Isolates that died, and messages that were delivered in all. */
  deaths = 0;
  deliveries = 0;

  /**
   * `bindings` stand in for the Worker's own. `livesOf` says of each isolate, one after the other, after how many
   * questions to the database it dies; those behind them live on.
   */
  constructor(clock: () => number, bindings: Partial<Env>, livesOf: number[] = []) {
    this.#clock = clock;
    this.#bindings = { ...bindings, WAKE_UPS: this.#binding(), ALERT_WAKE_UPS: this.#binding() };
    this.#lives = [...livesOf];
    this.#isolate = this.#newIsolate();
  }

  get env(): Env {
    return this.#isolate.env;
  }

  /** Until nothing is due, with so many batches at a time. */
  async drain(batchesAtOnce: number): Promise<void> {
    const consume = async () => {
      for (let batch = this.#take(); batch.length > 0; batch = this.#take()) await this.#deliver(batch);
    };
    await Promise.all(Array.from({ length: batchesAtOnce }, consume));
  }

  /** When the next message is due; undefined where there is none. */
  nextAtMs(): number | undefined {
    return this.#held.reduce<number | undefined>((least, { atMs }) => Math.min(least ?? atMs, atMs), undefined);
  }

  #take(): Held[] {
    const now = this.#clock();
    const queue = this.#held.find(({ atMs }) => atMs <= now)?.queue;
    const batch = this.#held.filter((held) => held.queue === queue && held.atMs <= now).slice(0, BATCH_MAX);
    const taken = new Set(batch);
    this.#held = this.#held.filter((held) => !taken.has(held));
    return batch;
  }

  async #deliver(batch: Held[]): Promise<void> {
    const isolate = this.#isolate;
    const retries = new Map<Held, number>();
    const messages = batch.map((held) => ({
      id: crypto.randomUUID(),
      timestamp: new Date(held.atMs),
      body: held.body,
      attempts: held.attempts + 1,
      ack: () => void retries.delete(held),
      retry: ({ delaySeconds = 0 }: QueueRetryOptions = {}) => void retries.set(held, delaySeconds),
    }));
    this.deliveries += batch.length;
    const all = { queue: batch[0]!.queue, messages, ackAll: () => undefined, retryAll: () => undefined };
    await worker
      .queue(all as unknown as MessageBatch, isolate.env)
      .catch(() => batch.forEach((held) => retries.set(held, 0)));
    if (isolate.isDead) batch.forEach((held) => retries.set(held, 0));
    if (isolate.isDead && isolate === this.#isolate) {
      this.deaths++;
      this.#isolate = this.#newIsolate();
    }
    for (const [held, delaySeconds] of retries) this.#again(held, delaySeconds);
  }

  #newIsolate = (): Isolate => new Isolate(this.#bindings, this.#lives.shift() ?? Number.POSITIVE_INFINITY);

  #again({ body, queue, attempts }: Held, delaySeconds: number): void {
    const isOver = attempts >= RETRIES_MAX;
    if (isOver && queue === DEAD_LETTERS) return;
    const atMs = this.#clock() + delaySeconds * 1_000;
    this.#held.push(
      isOver ? { body, atMs, attempts: 0, queue: DEAD_LETTERS } : { body, atMs, attempts: attempts + 1, queue },
    );
  }

  #binding(): Env["WAKE_UPS"] {
    const hold = (body: unknown, { delaySeconds = 0 }: QueueSendOptions = {}) => {
      this.#held.push({
        body: WakeUp.parse(body),
        atMs: this.#clock() + delaySeconds * 1_000,
        attempts: 0,
        queue: QUEUE,
      });
    };
    return {
      send: async (body: unknown, options?: QueueSendOptions) => hold(body, options),
      sendBatch: async (batch: Iterable<MessageSendRequest>, options?: QueueSendBatchOptions) =>
        [...batch].forEach(({ body }) => hold(body, options)),
    } as unknown as Env["WAKE_UPS"];
  }
}

/** What runs a Worker's code. Once it is dead nothing of it reaches the database, the queue or a container. */
class Isolate {
  isDead = false;
  #questionsLeft: number;
  readonly env: Env;

  constructor(bindings: Partial<Env>, questionsMax: number) {
    this.#questionsLeft = questionsMax;
    const all = { ...env, ...bindings } as Env;
    const DB = {
      prepare: (sql: string) => this.#question(() => all.DB.prepare(sql)),
      batch: (statements: D1PreparedStatement[]) => this.#question(() => all.DB.batch(statements)),
    };
    this.env = { ...all, ...this.#guarded(all), DB: DB as unknown as D1Database };
  }

  #guarded({ WAKE_UPS, ALERT_WAKE_UPS, SANDBOX, ENGINE }: Env) {
    const queue = (binding: Queue): Queue =>
      ({
        send: (...sent: Parameters<Queue["send"]>) => this.#alive(() => binding.send(...sent)),
        sendBatch: (...sent: Parameters<Queue["sendBatch"]>) => this.#alive(() => binding.sendBatch(...sent)),
      }) as unknown as Queue;
    return {
      ...{ WAKE_UPS: queue(WAKE_UPS), ALERT_WAKE_UPS: queue(ALERT_WAKE_UPS) },
      SANDBOX: { getByName: (name: string) => this.#alive(() => SANDBOX.getByName(name)) } as unknown as Env["SANDBOX"],
      ENGINE: { getByName: (name: string) => this.#alive(() => ENGINE.getByName(name)) } as unknown as Env["ENGINE"],
    };
  }

  #question<T>(ask: () => T): T {
    if (--this.#questionsLeft < 0) this.isDead = true;
    return this.#alive(ask);
  }

  #alive<T>(act: () => T): T {
    if (this.isDead) throw new Error("This isolate is dead.");
    return act();
  }
}
