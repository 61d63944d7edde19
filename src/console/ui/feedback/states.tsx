// A state stands in the place of content that is not there: nothing yet, still loading, or a failure with its way out.

import { Button, Skeleton, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { asProblem } from "../../api/problem.ts";
import styles from "./states.module.css";

/** An empty place says what would be there, and the next step. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <Title order={2}>{title}</Title>
      {children && <div className={styles.text}>{children}</div>}
      {action}
    </div>
  );
}

/** A failure as the API told it: the sentence, each flaw, and the request's id to quote. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { message, code, flaws, requestId } = asProblem(error);
  const others = flaws.filter((flaw) => !message.includes(flaw.message));
  return (
    <div className={styles.error} role="alert">
      <p className={styles.message}>{message}</p>
      {others.length > 0 && (
        <ul className={styles.flaws}>
          {others.map((flaw) => (
            <li key={`${flaw.pointer} ${flaw.message}`}>
              {flaw.pointer && <code>{flaw.pointer}</code>} {flaw.message}
            </li>
          ))}
        </ul>
      )}
      <p className={styles.origin}>
        <code>{code}</code>
        {requestId && <> · request {requestId}</>}
      </p>
      {onRetry && (
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

type Loadable<Data> = Pick<UseQueryResult<Data>, "data" | "error" | "isPending" | "refetch">;

/** Shows what a query has found; before that grey lines, and a failure where there is nothing to show. */
export function Loaded<Data>({ query, children }: { query: Loadable<Data>; children: (data: Data) => ReactNode }) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  return <LoadingLines />;
}

export function LoadingLines({ lines = 4 }: { lines?: number }) {
  return (
    <div className={styles.lines} role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={14} width={`${92 - ((line * 17) % 40)}%`} />
      ))}
    </div>
  );
}
