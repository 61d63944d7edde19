// The rows of a table, as they are now or were at a snapshot; by its key page after page, else the first ones.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import type { components } from "../../../api/schema.d.ts";
import { runStatement } from "../../../api/statement.ts";
import { Button, Group, Select, Stack } from "../../../ui/controls.ts";
import { RowsTable } from "../../../ui/data/rows-table.tsx";
import { EmptyState, ErrorNote, LoadingLines } from "../../../ui/feedback/states.tsx";
import { profileQuery, snapshotsQuery, type TablePlace } from "../queries.ts";
import { likelyKey, previewStatement } from "./keyset.ts";

type Detail = components["schemas"]["LakeTableDetail"];

const PAGE_ROWS = 100;
const PAGES_MAX = 20;

export function Preview({ place, table }: { place: TablePlace; table: Detail }) {
  const [params, setParams] = useSearchParams();
  const at = params.get("at");
  const snapshotId = at !== null && /^\d+$/.test(at) ? Number(at) : undefined;
  const snapshots = useQuery(snapshotsQuery(place));
  const likely = likelyKey(table.columns, table.row_count);
  const profile = useQuery({
    ...profileQuery(place, likely?.name ?? "", table.last_change.snapshot_id),
    enabled: likely !== undefined,
  });
  const isKnown = likely === undefined || profile.data !== undefined || profile.error !== null;
  const { distinct_count: distinct, row_count: rowCount } = profile.data ?? {};
  // Only an exact figure says that no two rows have one value; pages by another column would skip rows.
  const isKey = distinct != null && rowCount != null && distinct.exact && distinct.value === rowCount.value;
  const key = isKey && snapshotId === undefined ? likely : undefined;
  const rows = useInfiniteQuery({
    queryKey: [
      "catalog",
      place.integrationId,
      "rows",
      place.schema,
      place.table,
      snapshotId ?? null,
      key?.name ?? null,
    ],
    queryFn: ({ pageParam, signal }) =>
      runStatement({
        sql: previewStatement({ ...place, snapshotId, key, after: pageParam, rows: PAGE_ROWS }),
        integrationId: place.integrationId,
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last, pages) =>
      key && last.rows.length === PAGE_ROWS && pages.length < PAGES_MAX
        ? String(last.rows.at(-1)?.[key.name])
        : undefined,
    enabled: isKnown,
    retry: false,
  });
  const all = rows.data?.pages.flatMap((page) => page.rows);
  const choices = (snapshots.data?.items ?? []).map(({ snapshot_id, at: when }) => ({
    value: String(snapshot_id),
    label: `${snapshot_id}: ${new Date(when).toLocaleString()}`,
  }));
  return (
    <Stack gap="sm">
      <Group align="end">
        <Select
          label="As of snapshot"
          w={280}
          clearable
          placeholder="now"
          data={choices}
          value={at}
          onChange={(value) => setParams(value ? { tab: "rows", at: value } : { tab: "rows" })}
        />
        {key && <small>in the order of {key.name}, which no two rows share</small>}
      </Group>
      {rows.error && <ErrorNote error={rows.error} onRetry={() => void rows.refetch()} />}
      {rows.isPending && <LoadingLines />}
      {all?.length === 0 && <EmptyState title="No rows">The table was empty at this snapshot.</EmptyState>}
      {all && all.length > 0 && <RowsTable label="Rows" columns={rows.data!.pages[0]!.columns} rows={all} />}
      {all && (
        <Group gap="sm">
          {rows.hasNextPage && (
            <Button
              variant="default"
              size="xs"
              loading={rows.isFetchingNextPage}
              onClick={() => void rows.fetchNextPage()}
            >
              Show more
            </Button>
          )}
          <small>
            {all.length} rows shown
            {!key && all.length === PAGE_ROWS && "; there is no key to go on by: query the table for others"}
          </small>
        </Group>
      )}
    </Stack>
  );
}
