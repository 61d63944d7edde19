// The steps of a connection, and at which of them one has failed. Pure.

import { CONNECTION_REASONS, type ConnectionReason } from "../../../../kernel/wire/failures.ts";
import type { FjordProblem } from "../../api/problem.ts";

export const STEPS = ["name", "network", "tls", "login", "database"] as const;
export type Step = (typeof STEPS)[number];
export type StepState = "passed" | "failed" | "unknown";

export const STEP_TITLES: Record<Step, string> = {
  name: "Name",
  network: "Network",
  tls: "TLS",
  login: "Login",
  database: "Database",
};

/** Undefined where the reason does not say at which step it was. */
const STEP_OF: Record<ConnectionReason, Step | undefined> = {
  dns: "name",
  host_forbidden: "network",
  refused: "network",
  unreachable: "network",
  timeout: "network",
  tls: "tls",
  authentication: "login",
  database_missing: "database",
  version_unsupported: "database",
  lake_key_refused: "database",
  lake_differs: "database",
  other: undefined,
};

const CONNECTION_CODES = new Set(["connection_failed", "source_unreachable"]);

/** A connection's flaw begins with the code of its reason; undefined for failures that are none of a connection. */
export function reasonOf({ code, flaws }: Pick<FjordProblem, "code" | "flaws">): ConnectionReason | undefined {
  if (!CONNECTION_CODES.has(code)) return undefined;
  const [flaw] = flaws;
  const named = flaw?.message.slice(0, flaw.message.indexOf(":"));
  return CONNECTION_REASONS.find((reason) => reason === named) ?? "other";
}

/** Each step with its state: those before the failed one were passed. */
export function stepsOf(reason: ConnectionReason | undefined): { step: Step; state: StepState }[] {
  if (reason === undefined) return STEPS.map((step) => ({ step, state: "passed" }));
  const failed = STEP_OF[reason];
  if (failed === undefined) return STEPS.map((step) => ({ step, state: "unknown" }));
  const at = STEPS.indexOf(failed);
  return STEPS.map((step, index) => ({ step, state: index < at ? "passed" : index === at ? "failed" : "unknown" }));
}
