// The differences of two results, once they are found: a sentence, what to know of it, and the rows with their changed
// cells marked.

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Progress, SegmentedControl } from "../../../../ui/controls.ts";
import { ErrorNote } from "../../../../ui/feedback/states.tsx";
import { Grid } from "../../../../ui/grid/grid.tsx";
import type { Run } from "../../run/run.ts";
import styles from "../results.module.css";
import { diffGrid, type DiffPart } from "./diff-grid.ts";
import { diffRows, type RowDiff } from "./diff-rows.ts";
import { notesOf, summaryOf } from "./diff-words.ts";
import { runSliced } from "./run-sliced.ts";

const KEPT_MS = 60_000;
const PARTS: { value: DiffPart; label: string }[] = [
  { value: "all", label: "All" },
  { value: "changed", label: "Changed" },
  { value: "added", label: "Added" },
  { value: "removed", label: "Removed" },
];

type DifferencesProps = { before: Run; after: Run; keyColumns: readonly string[] };

/** Both runs are done, and have their rows. */
export function Differences({ before, after, keyColumns }: DifferencesProps) {
  const [done, setDone] = useState(0);
  const sides = useMemo(() => ({ before: before.source!, after: after.source! }), [before.source, after.source]);
  const found = useQuery({
    queryKey: ["query-differences", before.id, after.id, keyColumns],
    staleTime: Infinity,
    gcTime: KEPT_MS,
    retry: false,
    queryFn: ({ signal }) => runSliced(diffRows(sides.before, sides.after, keyColumns), signal, setDone),
  });
  if (found.error)
    return (
      <div className={styles.note}>
        <ErrorNote error={found.error} />
      </div>
    );
  if (!found.data)
    return (
      <div className={styles.note} role="status" aria-label="Comparing">
        <Progress value={done * 100} aria-label="How much is compared" />
      </div>
    );
  return <Shown diff={found.data} sides={sides} />;
}

function Shown({ diff, sides }: { diff: RowDiff; sides: Parameters<typeof diffGrid>[1] }) {
  const [part, setPart] = useState<DiffPart>("all");
  const grid = useMemo(() => diffGrid(diff, sides, part), [diff, sides, part]);
  const isSame = diff.changed.length + diff.added.length + diff.removed.length === 0;
  return (
    <>
      <div className={styles.summary} role="status" aria-label="Differences">
        <b>{summaryOf(diff)}</b>
        {notesOf(diff).map((note) => (
          <span key={note}>{note}</span>
        ))}
      </div>
      {!isSame && (
        <>
          <div className={styles.line}>
            <SegmentedControl
              size="xs"
              aria-label="Which differences"
              data={PARTS.map(({ value, label }) => ({
                value,
                label,
                disabled: value !== "all" && diff[value].length === 0,
              }))}
              value={part}
              onChange={(value) => setPart(value as DiffPart)}
            />
          </div>
          <Grid key={part} source={grid} rowCount={grid.rowCount} label="Differences of the results" />
        </>
      )}
    </>
  );
}
