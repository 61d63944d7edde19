// A try of a connection shows its steps, and what the server said of itself or why it failed.

import { asProblem } from "../../api/problem.ts";
import type { components } from "../../api/schema.d.ts";
import { Alert, Stack } from "../../ui/controls.ts";
import { State } from "../../ui/data/values.tsx";
import { ErrorNote } from "../../ui/feedback/states.tsx";
import { Icon } from "../../ui/icons.tsx";
import { ListTable } from "../../ui/data/list-table.tsx";
import { reasonOf, STEP_TITLES, stepsOf, type StepState } from "./connection-steps.ts";
import styles from "./connection-steps.module.css";

type Tested = components["schemas"]["TestedIntegration"];

const STATE_WORDS: Record<StepState, string> = { passed: "passed", failed: "failed", unknown: "not reached" };

export function ConnectionSteps({ error }: { error: unknown }) {
  const reason = error ? reasonOf(asProblem(error)) : undefined;
  if (error && reason === undefined) return null;
  return (
    <ol className={styles.steps} aria-label="Steps of the connection">
      {stepsOf(reason).map(({ step, state }) => (
        <li key={step} data-state={state}>
          <span className={styles.mark} role="img" aria-label={STATE_WORDS[state]}>
            {state !== "unknown" && <Icon name={state === "passed" ? "check" : "close"} size={12} />}
          </span>
          {STEP_TITLES[step]}
        </li>
      ))}
    </ol>
  );
}

export function ConnectionFailure({ error }: { error: unknown }) {
  return (
    <Stack gap="sm">
      <ConnectionSteps error={error} />
      <ErrorNote error={error} />
    </Stack>
  );
}

export function ConnectionResult({ tested }: { tested: Tested }) {
  const { connection, warnings, hindrances } = tested;
  return (
    <Stack gap="sm">
      <ConnectionSteps error={null} />
      <p>
        <State tone="good">connected</State> {connection.product} {connection.version},{" "}
        {connection.tls ? "with TLS" : "without TLS"}, {connection.can_write ? "may write" : "may only read"}.
      </p>
      {warnings.map((warning) => (
        <Alert key={warning} color="yellow">
          {warning}
        </Alert>
      ))}
      {hindrances.length > 0 && (
        <ListTable
          label="What hinders members of data roles"
          rows={hindrances}
          keyOf={({ kind, name }) => `${kind} ${name}`}
          columns={[
            { name: "Hindrance", cell: ({ kind, name }) => `${kind} ${name}` },
            { name: "Runs", cell: ({ code }) => <code>{code}</code> },
            { name: "Takes away", cell: ({ effect }) => effect },
          ]}
        />
      )}
    </Stack>
  );
}
