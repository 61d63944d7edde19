// The runs of this sandbox, by id: a repeated order waits for the run it already made.

import type { Envelopes } from "../envelope/envelopes.ts";
import { Failure } from "../core/failure.ts";
import type { RunOrder, RunReport, RunStatus } from "../../../kernel/wire/sandbox.ts";
import { Run } from "./run.ts";
import type { RunServices } from "./run-context.ts";

const RUNS_MAX = 100;
/** How long an ended run is kept: a platform that was away asks for its outcome, unless the report was delivered. */
const KEPT_MS = 300_000;

export class Runs {
  readonly #services: RunServices;
  readonly #envelopes: Envelopes;
  readonly #runs = new Map<string, Run>();
  readonly #reports = new Map<string, RunReport>();
  #running = 0;

  constructor(services: RunServices, envelopes: Envelopes) {
    this.#services = services;
    this.#envelopes = envelopes;
  }

  get running(): number {
    return this.#running;
  }

  /**
   * Rejects with `busy`, or `not_found` where the envelope the order speaks of is not here. `asksFirst`: the run does
   * nothing before the platform has said that it is wanted.
   */
  start(order: RunOrder, asksFirst: boolean): Promise<RunReport> {
    const known = this.#runs.get(order.runId);
    if (known) return known.report;
    if (this.#running >= RUNS_MAX)
      throw new Failure("busy", "The sandbox has as many runs as it takes. Try again in a moment.");
    const envelope = order.hasEnvelope ? this.#envelopes.take(order.runId) : undefined;
    if (order.hasEnvelope && !envelope)
      throw new Failure("not_found", "The envelope of this run is not here: it was not sent, or too long ago.");
    const run = new Run({ order, envelope, asksFirst }, this.#services);
    this.#runs.set(order.runId, run);
    this.#running++;
    const forget = () => {
      this.#running--;
      setTimeout(() => this.#runs.delete(order.runId) && this.#reports.delete(order.runId), KEPT_MS).unref();
    };
    run.report.then((report) => void this.#reports.set(order.runId, report)).then(forget, forget);
    return run.report;
  }

  get(runId: string): RunStatus | undefined {
    return this.#runs.has(runId) ? { report: this.#reports.get(runId) ?? null } : undefined;
  }

  cancel(runId: string): boolean {
    const run = this.#runs.get(runId);
    run?.cancel();
    return run !== undefined;
  }

  /** Cancels all runs; settles when each has reported. */
  async stop(): Promise<void> {
    for (const run of this.#runs.values()) run.cancel();
    await Promise.allSettled([...this.#runs.values()].map(({ report }) => report));
  }
}
