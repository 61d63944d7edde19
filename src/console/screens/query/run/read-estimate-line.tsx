// Near the run button stands what the statement will read of the lake's tables, by a click table by table.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api, bodyOf } from "../../../api/client.ts";
import { useDebouncedValue } from "../../../ui/controls.ts";
import { DetailsButton } from "../../../ui/feedback/details-button.tsx";
import { ErrorNote } from "../../../ui/feedback/states.tsx";
import { isWrappable } from "../text/statements.ts";
import { bodyFor } from "./send-statement.ts";
import { estimateLine, tableLines, type ReadEstimate } from "./read-estimate.ts";
import type { Question } from "./run.ts";
import { REST_MS } from "./use-rested-statement.ts";
import styles from "./read-estimate-line.module.css";

const FRESH_MS = 30_000;

/** `sql`: the statement that a run would take; undefined while it is typed. */
export function ReadEstimateLine({ sql, values }: { sql: string | undefined; values: Question["values"] }) {
  const [rested] = useDebouncedValue(values, REST_MS);
  const asked = sql !== undefined && isWrappable(sql) && rested === values ? sql : undefined;
  const { data, error, refetch } = useQuery({
    queryKey: ["query-estimate", asked, values],
    enabled: asked !== undefined,
    staleTime: FRESH_MS,
    // A statement can be run without it.
    retry: false,
    queryFn: ({ signal }) => {
      const body = bodyFor(asked!, { integrationId: null, values });
      return bodyOf(api.POST("/v1/query/estimate", { body, signal }));
    },
  });
  if (asked === undefined) return null;
  if (data) return <Estimated estimate={data} />;
  if (!error) return null;
  return (
    <Opened line="not estimated" title="Why it is not estimated">
      <ErrorNote error={error} onRetry={() => void refetch()} />
    </Opened>
  );
}

function Estimated({ estimate }: { estimate: ReadEstimate }) {
  const line = estimateLine(estimate);
  if (estimate.refusal)
    return (
      <Opened line="would fail" title="Why it would fail" isBad>
        <p className={styles.reason}>{estimate.refusal.message}</p>
      </Opened>
    );
  if (line === undefined) return null;
  return (
    <Opened line={line} title="Of which tables">
      <dl className={styles.tables}>
        {tableLines(estimate).map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Opened>
  );
}

type OpenedProps = { line: string; title: string; isBad?: boolean; children: ReactNode };

/** A line that opens what there is to say. */
function Opened({ line, title, isBad = false, children }: OpenedProps) {
  return (
    <DetailsButton className={styles.line} data-bad={isBad || undefined} title={title} details={children} width={380}>
      {line}
    </DetailsButton>
  );
}
