// Bindings that count what goes through them: statements of D1 with their rows, calls of Durable Objects, operations of
// the bucket, and messages. What goes through is done all the same.

import { env } from "cloudflare:workers";
import type { Count, ObjectBinding } from "../../../../scripts/scale/counts.ts";

export type CountedBindings = {
  bindings: Env;
  /** What was counted since the last time, or since the beginning. */
  take(): Count;
};

const OBJECTS = ["CATALOG", "ENGINE", "SANDBOX", "LOGS", "METER"] as const satisfies ObjectBinding[];
const QUEUES = ["WAKE_UPS", "ALERT_WAKE_UPS", "CLEANUP_WAKE_UPS"] as const satisfies (keyof Env)[];

const nothing = (): Count => ({ statements: 0, rowsRead: 0, rowsWritten: 0, calls: {}, bucket: {}, messages: 0 });

/** `fakes` take the place of the Worker's own bindings, and are counted as those are. */
export function countBindings(fakes: Partial<Env> = {}): CountedBindings {
  const counted = { now: nothing() };
  const own = { ...env, ...fakes } as Env;
  const addCall = (name: ObjectBinding) => {
    counted.now.calls[name] = (counted.now.calls[name] ?? 0) + 1;
  };
  const addOperation = (name: string) => {
    counted.now.bucket[name] = (counted.now.bucket[name] ?? 0) + 1;
  };
  const bindings = {
    ...own,
    DB: countDatabase(own.DB, counted),
    BUCKET: listening(own.BUCKET, addOperation),
    ...Object.fromEntries(OBJECTS.map((name) => [name, countNamespace(own[name], () => addCall(name))])),
    ...Object.fromEntries(
      QUEUES.map((name) => [name, countQueue(own[name], (messages) => (counted.now.messages += messages))]),
    ),
  } as unknown as Env;
  return {
    bindings,
    take() {
      const taken = counted.now;
      counted.now = nothing();
      return taken;
    },
  };
}

type Methods = Record<string | symbol, (...given: unknown[]) => unknown>;

/** Says which methods are called. */
const listening = <Target extends object>(target: Target, called: (method: string) => void): Target =>
  new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        called(String(name));
        return (target as Methods)[name]!(...given);
      };
    },
  });

type Namespace = { get(id: DurableObjectId): object; getByName(name: string): object };

const countNamespace = (namespace: object, called: () => void): object =>
  new Proxy(namespace as Namespace, {
    get(target, name) {
      if (name === "get") return (id: DurableObjectId) => listening(target.get(id), called);
      if (name === "getByName") return (of: string) => listening(target.getByName(of), called);
      return (...given: unknown[]) => (target as unknown as Methods)[name]!(...given);
    },
  });

const countQueue = (queue: Queue, sent: (messages: number) => void) => ({
  async send(...given: Parameters<Queue["send"]>) {
    sent(1);
    return queue.send(...given);
  },
  async sendBatch(batch: Iterable<MessageSendRequest>, options?: QueueSendBatchOptions) {
    const messages = [...batch];
    sent(messages.length);
    return queue.sendBatch(messages, options);
  },
});

function countDatabase(database: D1Database, counted: { now: Count }) {
  const note = <Row>(result: D1Result<Row>): D1Result<Row> => {
    counted.now.statements++;
    counted.now.rowsRead += result.meta.rows_read;
    counted.now.rowsWritten += result.meta.rows_written;
    return result;
  };
  const real = new WeakMap<object, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement, text: string) => {
    const all = async () => note(await statement.all<Record<string, unknown>>());
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), text),
      all,
      run: all,
      async first(column?: string) {
        const [row] = (await all()).results;
        return column === undefined ? (row ?? null) : (row?.[column] ?? null);
      },
      // D1 gives no figures with rows as arrays: what only reads is asked for both, and what writes answers no two
      // columns of one name.
      async raw() {
        const { results } = await all();
        return /^\s*(select|with)\b/i.test(text) ? statement.raw() : results.map((row) => Object.values(row));
      },
    };
    real.set(wrapped, statement);
    return wrapped;
  };
  return {
    prepare: (text: string) => wrap(database.prepare(text), text),
    batch: async (statements: object[]) =>
      (await database.batch(statements.map((statement) => real.get(statement)!))).map(note),
  };
}
