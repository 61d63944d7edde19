// A pivot of a tab's result, computed by the database that ran the statement. The tab keeps what it is made of.

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Choice, MultiSelect, Select } from "../../../../ui/controls.ts";
import { EmptyState, Loaded, LoadingLines } from "../../../../ui/feedback/states.tsx";
import { Grid } from "../../../../ui/grid/grid.tsx";
import type { Run } from "../../run/run.ts";
import { askRows } from "../../run/send-statement.ts";
import type { DataSource } from "../../schema/schema.ts";
import { isWrappable } from "../../text/statements.ts";
import { viewedSql } from "../../text/wrapped.ts";
import styles from "../results.module.css";
import {
  AGGREGATE_TITLES,
  aggregatesOf,
  choiceFor,
  groupable,
  isAskable,
  kindOf,
  type Aggregate,
  type PivotChoice,
} from "./pivot-choice.ts";
import { PIVOT_ROWS_MAX, pivotGrid, type PivotAnswer } from "./pivot-grid.ts";
import { pivotSql, totalsSql } from "./pivot-sql.ts";
import { formatExact } from "../../../../ui/data/format.ts";

type PivotPaneProps = {
  run: Run;
  source: DataSource;
  kept: Partial<PivotChoice> | undefined;
  onChoice: (choice: PivotChoice) => void;
};

export function PivotPane({ run, source, kept, onChoice }: PivotPaneProps) {
  const { source: rows } = run;
  const columns = useMemo(() => rows?.columns.map(({ name }, at) => ({ name, kind: rows.kinds[at]! })) ?? [], [rows]);
  if (run.state === "running" && !rows)
    return (
      <div className={styles.note}>
        <LoadingLines />
      </div>
    );
  if (!isWrappable(run.question.sql) || groupable(columns).length === 0)
    return (
      <div className={styles.note}>
        <EmptyState title="Nothing to pivot">
          A pivot is made of a statement that answers rows, once it has run.
        </EmptyState>
      </div>
    );
  const choice = choiceFor(columns, kept);
  const { aggregate, value, spread } = choice;
  const change = (part: Partial<PivotChoice>) => onChoice(choiceFor(columns, { ...choice, ...part }));
  const names = groupable(columns).map(({ name }) => name);
  return (
    <>
      <div className={styles.line}>
        <MultiSelect
          size="xs"
          miw={200}
          aria-label="Row columns"
          placeholder={choice.rows.length === 0 ? "Rows" : ""}
          data={names.filter((name) => name !== spread)}
          value={[...choice.rows]}
          onChange={(chosen) => change({ rows: chosen })}
        />
        <Select
          size="xs"
          w={180}
          aria-label="Column to spread"
          placeholder="Values to columns"
          searchable
          clearable
          clearButtonProps={{ "aria-label": "Spread no column" }}
          data={names.filter((name) => !choice.rows.includes(name))}
          value={spread}
          onChange={(chosen) => change({ spread: chosen })}
        />
        <Choice
          size="xs"
          w={140}
          aria-label="Aggregate"
          data={aggregatesOf(kindOf(columns, value)).map((one) => ({ value: one, label: AGGREGATE_TITLES[one] }))}
          value={aggregate}
          onChange={(chosen) => change({ aggregate: chosen as Aggregate })}
        />
        <Select
          size="xs"
          w={180}
          aria-label="Value"
          placeholder="of rows"
          searchable
          clearable
          clearButtonProps={{ "aria-label": "Count rows" }}
          data={columns.map(({ name }) => name)}
          value={value}
          onChange={(chosen) => change({ value: chosen, ...(chosen === null && { aggregate: "count" }) })}
        />
      </div>
      {isAskable(choice) && <Pivot key={run.id} run={run} source={source} columns={columns} choice={choice} />}
    </>
  );
}

type PivotProps = Pick<PivotPaneProps, "run" | "source"> & {
  columns: Parameters<typeof choiceFor>[0];
  choice: PivotChoice;
};

function Pivot({ run, source, columns, choice }: PivotProps) {
  const answer = useQuery({
    queryKey: ["query-pivot", run.id, choice],
    staleTime: Infinity,
    queryFn: ({ signal }) => askPivot({ run, source, columns, choice }, signal),
  });
  return (
    <Loaded query={answer}>
      {(found) =>
        found === "too many" ? (
          <div className={styles.note}>
            <EmptyState title="Too many groups">
              {`This pivot has more than ${formatExact(PIVOT_ROWS_MAX)} groups. Choose columns with fewer values.`}
            </EmptyState>
          </div>
        ) : (
          <PivotRows answer={found} columns={columns} choice={choice} />
        )
      }
    </Loaded>
  );
}

/** The order of a view plays no part, and not every database orders what another statement reads from. */
async function askPivot(
  { run, source, columns, choice }: PivotProps,
  signal: AbortSignal,
): Promise<PivotAnswer | "too many"> {
  const { question, view } = run;
  const database = source.kind;
  const sql = viewedSql(question.sql, { filters: view.filters }, database);
  const pivoted = { columns, database, rows: PIVOT_ROWS_MAX + 1 };
  const [rows, totals] = await Promise.all([
    askRows(pivotSql(sql, choice, pivoted), question, signal),
    choice.spread === null || choice.rows.length === 0
      ? undefined
      : askRows(totalsSql(sql, choice, pivoted), question, signal),
  ]);
  const isCut = rows.truncated || totals?.truncated || rows.rows.length > PIVOT_ROWS_MAX;
  return isCut ? "too many" : { rows: rows.rows, totals: totals?.rows };
}

function PivotRows({ answer, columns, choice }: { answer: PivotAnswer } & Pick<PivotProps, "columns" | "choice">) {
  const { source, notes } = useMemo(() => {
    const { value, aggregate } = choice;
    const valueTitle = value === null ? "Rows" : `${AGGREGATE_TITLES[aggregate]} of ${value}`;
    return pivotGrid(answer, { choice, kindOf: (name) => kindOf(columns, name), valueTitle });
  }, [answer, columns, choice]);
  return (
    <>
      {notes.map((note) => (
        <p key={note} className={styles.cutLine}>
          {note}
        </p>
      ))}
      <Grid key={JSON.stringify(choice)} source={source} rowCount={source.rowCount} label="Pivot of the result" />
    </>
  );
}
