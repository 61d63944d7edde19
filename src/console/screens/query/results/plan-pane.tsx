// The plan of a statement as a tree: asked for when it is opened; measured, where the source says what each part took.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button, Code } from "../../../ui/controls.ts";
import { formatCount, formatDuration } from "../../../ui/data/format.ts";
import { Loaded } from "../../../ui/feedback/states.tsx";
import type { Run } from "../run/run.ts";
import { askRows } from "../run/send-statement.ts";
import type { DataSource } from "../schema/schema.ts";
import { planTree, type PlanNode } from "./plan-tree.ts";
import styles from "./results.module.css";

/** A part that took this share of the time is marked. */
const SLOW_SHARE = 0.3;
const SECOND_MS = 1_000;

export function PlanPane({ run, source }: { run: Run; source: DataSource }) {
  const [isMeasured, setMeasured] = useState(false);
  const plan = useQuery({
    queryKey: ["query-plan", run.id, isMeasured],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const { rows } = await askRows(`EXPLAIN ${isMeasured ? "ANALYZE " : ""}${run.sent}`, run.question, signal);
      return rows.map((row) => row.at(-1) ?? "").join("\n");
    },
  });
  return (
    <div className={styles.plan} tabIndex={0} role="region" aria-label="Plan">
      <div className={styles.planHead}>
        <Button size="xs" variant="default" disabled={isMeasured} onClick={() => setMeasured(true)}>
          Run and measure
        </Button>
        <small>
          {isMeasured ? "Measured: the statement has run for it." : "Estimated: the statement has not run for it."}
        </small>
      </div>
      <Loaded query={plan}>{(text) => <Plan text={text} isTree={source.kind === "lake"} />}</Loaded>
    </div>
  );
}

function Plan({ text, isTree }: { text: string; isTree: boolean }) {
  const roots = isTree ? planTree(text) : [];
  if (roots.length === 0) return <Code block>{text}</Code>;
  const total = roots.reduce((sum, root) => sum + secondsOf(root), 0);
  return roots.map((root, at) => <Node key={`${at} ${root.title}`} node={root} total={total} />);
}

const secondsOf = ({ seconds = 0, children }: PlanNode): number =>
  children.reduce((sum, child) => sum + secondsOf(child), seconds);

function Node({ node, total }: { node: PlanNode; total: number }) {
  const { title, details, rows, seconds, children } = node;
  const isSlow = seconds !== undefined && total > 0 && seconds / total >= SLOW_SHARE;
  return (
    <div>
      <div className={styles.node} data-slow={isSlow || undefined}>
        <div className={styles.nodeHead}>
          <b>{title.replaceAll("_", " ").toLowerCase()}</b>
          {seconds !== undefined && <span>{formatDuration(seconds * SECOND_MS)}</span>}
        </div>
        {details.length > 0 && <small>{details.join(" ")}</small>}
        {rows !== undefined && <small>{formatCount(rows)} rows</small>}
      </div>
      {children.length > 0 && (
        <ul>
          {children.map((child, at) => (
            <li key={`${at} ${child.title}`}>
              <Node node={child} total={total} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
