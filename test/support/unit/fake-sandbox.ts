// A sandbox that runs nothing and speaks the real contract: what it reads is parsed by it, and what it reports goes
// over the
// Worker's own internal routes.

import { env } from "cloudflare:workers";
import { z } from "zod";
import {
  type EnvelopeReport,
  PROTOCOL,
  RunOrder,
  type RunReport,
  RunStatus,
  SANDBOX_FAILURES,
  SANDBOX_VERSION_HEADER,
  type DatasetReport,
  type SandboxFailureCode,
} from "../../../kernel/wire/sandbox.ts";
import { UNAVAILABLE_HEADER, type UnavailableReason } from "../../../src/platform/container/unavailable.ts";
import { callWith } from "./call-with.ts";
import type { Answer } from "./http.ts";

const Envelope = z.object({
  data: z.unknown().optional(),
  environmentVariables: z.record(z.string(), z.string()).optional(),
  datasetKeys: z.array(z.string()).optional(),
});

export type Behaviour = {
  /** How each dataset goes; it succeeds where nothing is said. */
  datasets?: Record<string, Partial<DatasetReport>>;
  /** While a run goes on. */
  during?: (order: RunOrder, send: SendReport) => Promise<void>;
  /** Answers the order with this instead of running it. */
  refuse?: SandboxFailureCode;
  /** Gives no answer to an order, for this reason. */
  unavailable?: UnavailableReason;
  /** Breaks off instead of reporting; whether it still says `finish` is up to `during`. */
  vanish?: boolean;
  outcome?: RunReport["outcome"];
  /** What it says when it is asked about a run; it knows of none where nothing is said. */
  knows?: (runId: string) => RunStatus | undefined;
};

export type SendReport = (
  what: "heartbeat" | "log" | "results" | "stage" | "publish" | "report" | "finish",
  body: unknown,
) => Promise<Answer>;

/** `queue`: where the platform sends its messages as this sandbox reports. */
export function fakeSandbox(behaviour: Behaviour = {}, queue: Env["WAKE_UPS"] = env.WAKE_UPS) {
  const seen = {
    envelopes: [] as { runId: string; text: string }[],
    orders: [] as RunOrder[],
    cancelled: [] as string[],
  };

  const senderOf =
    (order: RunOrder): SendReport =>
    (what, body) => {
      const raw = JSON.stringify(body);
      return callWith({ ...env, ...bindings, WAKE_UPS: queue }, "POST", `/internal/runs/${order.runId}/${what}`, {
        raw,
        headers: {
          authorization: `Bearer ${order.token}`,
          "content-type": "application/json",
          "content-length": String(raw.length),
        },
      });
    };

  const putEnvelope = async (runId: string, body: BodyInit | null | undefined): Promise<Response> => {
    const text = await new Response(body ?? "").text();
    seen.envelopes.push({ runId, text });
    const parsed = Envelope.safeParse(parse(text === "" ? "{}" : text));
    if (!parsed.success) return refusal("envelope_refused", [{ pointer: "/datasetKeys", message: "Send a list." }]);
    const { data, environmentVariables = {}, datasetKeys = null } = parsed.data;
    return answer({
      datasetKeys,
      environmentNames: Object.keys(environmentVariables),
      dataBytes: data === undefined ? null : JSON.stringify(data).length,
    } satisfies EnvelopeReport);
  };

  const run = async (order: RunOrder): Promise<Response> => {
    seen.orders.push(order);
    if (behaviour.refuse) return refusal(behaviour.refuse);
    const send = senderOf(order);
    await behaviour.during?.(order, send);
    if (behaviour.vanish) throw new Error("Network connection lost.");
    const report = reportOf(order, behaviour);
    await send("finish", report);
    return answer(report);
  };

  /** Takes an order and leaves the rest to the test: {@link senderOf} says what becomes of its run. */
  const start = (order: RunOrder): Response => {
    seen.orders.push(order);
    if (behaviour.unavailable)
      return new Response("", { status: 503, headers: { [UNAVAILABLE_HEADER]: behaviour.unavailable } });
    return behaviour.refuse ? refusal(behaviour.refuse) : new Response(null, { status: 202, headers: marked });
  };

  const stub = {
    async fetch(input: RequestInfo, init: RequestInit = {}) {
      const { pathname } = new URL(input as string);
      const [, , runId = "", rest] = pathname.split("/");
      if (init.method === "PUT" && rest === "envelope") return putEnvelope(runId, init.body);
      if (init.method === "POST" && rest === "start") return start(RunOrder.parse(JSON.parse(init.body as string)));
      if (init.method === "POST") return run(RunOrder.parse(JSON.parse(init.body as string)));
      seen.cancelled.push(runId);
      return refusal("not_found");
    },
    async askRunning(method: string, path: string) {
      const runId = path.split("/").at(-1)!;
      if (method === "DELETE") seen.cancelled.push(runId);
      const observed = method === "GET" ? behaviour.knows?.(runId) : undefined;
      return observed && answer(RunStatus.parse(observed));
    },
    probe: async () => true,
  };
  const bindings = { SANDBOX: { getByName: () => stub } } as unknown as Pick<Env, "SANDBOX">;
  const post = (path: string, key: string | undefined, body: unknown, headers: Record<string, string> = {}) =>
    callWith({ ...env, ...bindings }, "POST", path, { key, body, headers });
  return { bindings, seen, post, senderOf };
}

export const reportOf = (order: RunOrder, { datasets = {}, outcome }: Behaviour = {}): RunReport => {
  const reports = order.datasets.map(
    ({ key, executionId }): DatasetReport => ({
      key,
      executionId,
      success: true,
      skipped: false,
      error: null,
      errorCode: null,
      traceback: null,
      startedAt: new Date().toISOString(),
      durationMs: 1.5,
      peakBytes: 1_000,
      result: null,
      ...datasets[key],
    }),
  );
  return {
    runId: order.runId,
    outcome: outcome ?? (reports.every(({ success }) => success) ? "succeeded" : "failed"),
    error: null,
    datasets: reports,
  };
};

const marked = { [SANDBOX_VERSION_HEADER]: String(PROTOCOL) };
const answer = (body: unknown): Response =>
  new Response(`  ${JSON.stringify(body)}`, { headers: { ...marked, "content-type": "application/json" } });
const refusal = (code: SandboxFailureCode, flaws?: { pointer: string; message: string }[]): Response =>
  Response.json(
    { code, message: "The sandbox says no.", ...(flaws ? { flaws } : {}) },
    { status: SANDBOX_FAILURES[code], headers: marked },
  );

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
