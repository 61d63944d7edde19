// One run of a sync, table by table and live; what it waits for, what it could not bring, and what it logged.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { api, bodyOf } from "../../../api/client.ts";
import { useMay } from "../../../api/me.ts";
import type { components } from "../../../api/schema.d.ts";
import { Alert } from "../../../ui/controls.ts";
import { Bytes, Count, Duration, Time, useNow } from "../../../ui/data/values.tsx";
import { Loaded } from "../../../ui/feedback/states.tsx";
import { ConfirmButton } from "../../../ui/forms/confirm-button.tsx";
import { Page, Panel } from "../../../ui/layout/page.tsx";
import { runQuery } from "../queries.ts";
import { RunState } from "../sync/run-list.tsx";
import { durationOf, isUnderWay } from "../sync-state.ts";
import { RunLog } from "./run-log.tsx";
import { RunTables } from "./run-tables.tsx";
import styles from "../syncs.module.css";
import { useAction } from "../../../ui/feedback/use-action.ts";
import { Fact } from "../fact.tsx";

type Run = components["schemas"]["SyncRunDetail"];

const TICK_MS = 1_000;

export function RunPage({ integrationId, runId }: { integrationId: string; runId: string }) {
  const run = useQuery(runQuery(integrationId, runId));
  return <Loaded query={run}>{(found) => <RunView run={found.run} />}</Loaded>;
}

function RunView({ run }: { run: Run }) {
  const now = useNow(TICK_MS);
  const mayWrite = useMay("integrations:write");
  const cache = useQueryClient();
  const { details, tables, run_id: runId, src_integration_id: integrationId } = run;
  const isRunning = isUnderWay(details.state);
  const cancel = useAction(
    () =>
      bodyOf(
        api.POST("/v1/api/integrations/{integration_id}/syncs/{run_id}/cancel", {
          params: { path: { integration_id: integrationId, run_id: runId } },
        }),
      ),
    { onDone: (answer) => cache.setQueryData(["sync-run", runId], answer) },
  );
  const schemaHref = `/syncs/${integrationId}?schema=${encodeURIComponent(details.dest_schema)}`;
  return (
    <Page
      title={`Run into ${details.dest_schema}`}
      trail={
        <>
          <Link href="/syncs">Syncs</Link> / <Link href={schemaHref}>{details.dest_schema}</Link>
        </>
      }
      actions={
        isRunning &&
        mayWrite && (
          <ConfirmButton
            question="Tables that are committed stay; the others are left as they were before the run."
            verb="Cancel the run"
            isBusy={cancel.isPending}
            onConfirm={() => cancel.mutate()}
          >
            Cancel
          </ConfirmButton>
        )
      }
    >
      {details.waiting_for && (
        <Alert color="blue" title="It waits">
          {details.waiting_for.message}
          {details.place !== null && ` Place ${details.place} in the queue.`}{" "}
          {details.waiting_for.until && (
            <>
              Until <Time at={details.waiting_for.until} />.
            </>
          )}
        </Alert>
      )}
      {details.reason && (
        <Alert color={details.state === "failed" ? "red" : "yellow"} title="What happened">
          {details.reason}
        </Alert>
      )}
      {details.warnings.length > 0 && (
        <Alert color="yellow" title="What it did not bring">
          <ul className={styles.notes}>
            {details.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Alert>
      )}
      <Panel>
        <dl className={styles.facts}>
          <Fact title="State">
            <RunState run={run} now={now} />
          </Fact>
          <Fact title="Began">
            <Time at={details.started_at} never="not yet" />
          </Fact>
          <Fact title={isRunning ? "Takes" : "Took"}>
            <Duration ms={durationOf(run, now)} />
          </Fact>
          <Fact title="Attempt">{`${details.attempt} of ${details.attempts_max}`}</Fact>
          <Fact title="Rows read">
            <Count value={details.rows_read} />
          </Fact>
          <Fact title="Rows written">
            <Count value={details.rows_written} />
          </Fact>
          <Fact title="Rows deleted">
            <Count value={details.rows_deleted} />
          </Fact>
          <Fact title="Written">
            <Bytes value={details.bytes_written} />
          </Fact>
        </dl>
        {details.next_try_at && (
          <p>
            It is tried again <Time at={details.next_try_at} />.
          </p>
        )}
      </Panel>
      <RunTables tables={tables} />
      <RunLog integrationId={integrationId} runId={runId} isRunning={isRunning} />
    </Page>
  );
}
