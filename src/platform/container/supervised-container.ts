// Stands in for `ctx.container` where no container runtime exists: the same contract, over the process supervisor.
// Requests go straight to the program's own loopback port; the supervisor only starts, signals and reports.

const WAIT_PAUSE_MS = 1_000;
const TOUCH_EVERY_MS = 1_000;
const SUPERVISOR_MS = 10_000;
/** The supervisor answers a start when the program listens. */
const START_MS = 40_000;

type Boot = { boot: string; port: number };
type Exit = { code: number };

export type SupervisorAccess = { url: string; token: string; program: string };

/** The members of `ctx.container` that `@cloudflare/containers` and our classes use. */
export class SupervisedContainer {
  running = false;
  readonly images = {};
  #boot: Promise<Boot> | undefined;
  #ended: Promise<Exit> = Promise.resolve({ code: 0 });
  #touchedAt = 0;
  readonly #access: SupervisorAccess;
  readonly #id: string;

  constructor(access: SupervisorAccess, id: string) {
    this.#access = access;
    this.#id = id;
  }

  /** Takes up a program that outlived the object that started it. */
  async adopt(): Promise<void> {
    const answer = await this.#ask("GET", `/instances/${this.#id}`);
    if (answer.status !== 200) return void (await answer.body?.cancel());
    this.#watch(answer.json<Boot>());
  }

  start(options: ContainerStartupOptions = {}): void {
    this.#watch(this.#startInstance(options));
  }

  /**
   * Settles when the program has ended; rejects in the runtime's own words when it did so other than by exit code 0.
   */
  monitor(): Promise<void> {
    const ended = Promise.all([this.#boot, this.#ended]).then(([, { code }]) => {
      if (code !== 0) throw new Error(`container exited with unexpected exit code: ${code}`);
    });
    // The class looks at it later than it may reject.
    ended.catch(() => undefined);
    return ended;
  }

  signal(signal: number): void {
    this.#ask("POST", `/instances/${this.#id}/signal`, { signal }).then(
      (answer) => answer.body?.cancel(),
      () => undefined,
    );
  }

  async destroy(): Promise<void> {
    if (!this.running) return;
    this.signal(9);
    await this.#ended;
  }

  getTcpPort(port: number) {
    return { fetch: (url: string, init?: RequestInit) => this.#fetch(port, new URL(url), init) };
  }

  // Isolation of the network and sleep at the runtime's side have no local counterpart.
  async setInactivityTimeout(): Promise<void> {}
  async interceptOutboundHttp(): Promise<void> {}
  async interceptAllOutboundHttp(): Promise<void> {}
  async interceptOutboundHttps(): Promise<void> {}

  async #startInstance({ env = {} }: ContainerStartupOptions): Promise<Boot> {
    const answer = await this.#ask(
      "POST",
      `/instances/${this.#id}/start`,
      { program: this.#access.program, environment: env },
      START_MS,
    );
    const body = await answer.json<Boot & { message?: string }>();
    if (answer.status !== 200) throw new Error(body.message ?? "the supervisor refused to start the program");
    return body;
  }

  #watch(boot: Promise<Boot>): void {
    this.running = true;
    this.#boot = boot;
    const ended = boot.then(
      (started) => this.#waitForExit(started.boot),
      (): Exit => ({ code: 1 }),
    );
    this.#ended = ended.then((exit) => {
      if (this.#boot === boot) this.running = false;
      return exit;
    });
  }

  /** A supervisor that doesn't know the boot, or is gone itself, took the program with it. */
  async #waitForExit(boot: string): Promise<Exit> {
    for (let failures = 0; failures < 3; ) {
      try {
        const answer = await this.#ask("POST", `/boots/${boot}/wait`, {}, null);
        if (answer.status === 200) return await answer.json<Exit>();
        await answer.body?.cancel();
        if (answer.status !== 204) break;
        failures = 0;
      } catch {
        failures++;
        await scheduler.wait(WAIT_PAUSE_MS);
      }
    }
    return { code: 137 };
  }

  async #fetch(port: number, { pathname, search }: URL, init?: RequestInit): Promise<Response> {
    const started = await this.#boot;
    // A request that never reached the program may be sent again, one that broke off on the way may not, and the two
    // fail alike. A program that was just killed even accepts connections for a moment. So a harmless request goes
    // first.
    if (!started || !this.running || !(await isAnswering(started.port, init?.signal))) throw notListening(port);
    this.#touch(Date.now());
    return fetch(`http://127.0.0.1:${started.port}${pathname}${search}`, init);
  }

  #touch(now: number): void {
    if (now - this.#touchedAt < TOUCH_EVERY_MS) return;
    this.#touchedAt = now;
    this.#ask("POST", `/instances/${this.#id}/touch`).then(
      (answer) => answer.body?.cancel(),
      () => undefined,
    );
  }

  #ask(method: string, path: string, body?: unknown, deadlineMs: number | null = SUPERVISOR_MS): Promise<Response> {
    return fetch(this.#access.url + path, {
      method,
      headers: { authorization: `Bearer ${this.#access.token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(deadlineMs === null ? {} : { signal: AbortSignal.timeout(deadlineMs) }),
    });
  }
}

/** Without a secret the program refuses at once, which is an answer. */
async function isAnswering(port: number, signal: AbortSignal | null = null): Promise<boolean> {
  try {
    await (await fetch(`http://127.0.0.1:${port}/`, { method: "HEAD", signal })).body?.cancel();
    return true;
  } catch {
    // A program that stands still neither answers nor refuses; whoever asks knows how long to wait.
    signal?.throwIfAborted();
    return false;
  }
}

const notListening = (port: number) => new Error(`the container is not listening in the TCP address 127.0.0.1:${port}`);

/**
 * The object's context with a container in it. Where the runtime brings one, or no supervisor is configured, it is
 * returned as it is. Must run before the `Container` constructor, which refuses a context without a container.
 */
export function withContainer(
  ctx: DurableObjectState<{}>,
  env: Pick<Env, "SUPERVISOR_URL" | "SUPERVISOR_TOKEN">,
  program: string,
): DurableObjectState<{}> {
  if (ctx.container !== undefined || !env.SUPERVISOR_URL) return ctx;
  const access = { url: env.SUPERVISOR_URL, token: env.SUPERVISOR_TOKEN ?? "", program };
  const container = new SupervisedContainer(access, ctx.id.toString());
  Object.defineProperty(ctx, "container", { value: container, configurable: true });
  void ctx.blockConcurrencyWhile(() => container.adopt());
  return ctx;
}
