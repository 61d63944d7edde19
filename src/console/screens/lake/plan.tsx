// A maintenance would do this, as its dry run says: per step the files and bytes before and after.

import type { components } from "../../api/schema.d.ts";
import { formatBytes, formatCount } from "../../ui/data/format.ts";
import { ListTable } from "../../ui/data/list-table.tsx";

type Plan = components["schemas"]["MaintenancePlan"];
type Step = { name: string; what: string; before: string; after: string };

export function PlanView({ plan }: { plan: Plan }) {
  const { leftAlone } = plan.merge;
  return (
    <>
      <ListTable
        label="What it would do"
        rows={stepsOf(plan)}
        keyOf={({ name }) => name}
        columns={[
          { name: "Step", cell: ({ name }) => name },
          { name: "What", cell: ({ what }) => what },
          { name: "Before", isNumber: true, cell: ({ before }) => before },
          { name: "After", isNumber: true, cell: ({ after }) => after },
        ]}
      />
      {leftAlone.length > 0 && (
        <small>
          Left alone: {leftAlone.map(({ schema, name, reason }) => `${schema}.${name} (${reason})`).join(", ")}
        </small>
      )}
    </>
  );
}

function stepsOf({ merge, rewrite, expire, delete: deletion }: Plan): Step[] {
  const compactions = [
    { name: "Merge small files", compaction: merge },
    { name: "Rewrite files with deleted rows", compaction: rewrite },
  ].flatMap(({ name, compaction }): Step[] => {
    if (!compaction) return [];
    const { tables, total } = compaction;
    return [
      {
        name,
        what: tables === 0 ? "nothing to do" : `${formatCount(tables)} tables, ${formatCount(total.rows)} rows`,
        before: amount(total.files, total.bytes),
        after: amount(total.filesAfter, total.bytesAfter),
      },
    ];
  });
  const expiry: Step[] = expire
    ? [
        {
          name: "Expire snapshots",
          what: expire.snapshots === 0 ? "nothing to do" : `${formatCount(expire.snapshots)} snapshots`,
          before: amount(expire.files, expire.bytes),
          after: amount(0, 0),
        },
      ]
    : [];
  const deleted = {
    name: "Delete files that nothing needs",
    what: deletion.files === 0 ? "nothing to do" : "",
    before: amount(deletion.files, deletion.bytes),
    after: amount(0, 0),
  };
  return [...compactions, ...expiry, deleted];
}

const amount = (files: number, bytes: number): string =>
  files === 0 ? "–" : `${formatCount(files)} files, ${formatBytes(bytes)}`;
