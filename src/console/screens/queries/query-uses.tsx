// A saved query is used by endpoints and deliveries, each with the version that it runs.

import { api, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Panel } from "../../ui/layout/page.tsx";

const PAGE_ROWS = 50;
const KINDS = { endpoint: "Endpoint", delivery: "Delivery" } as const;

export function QueryUses({ queryId }: { queryId: string }) {
  const pages = usePages(["queries", queryId, "uses"], (offset) =>
    dataOf(
      api.GET("/v4/queries/{query_id}/uses", {
        params: { path: { query_id: queryId }, query: { limit: PAGE_ROWS, offset } },
      }),
    ),
  );
  return (
    <Panel title="Used by">
      <PagedTable
        label="Uses"
        pages={pages}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        empty={<p>Nothing uses it yet.</p>}
        columns={[
          { name: "Name", cell: ({ name }) => name },
          { name: "Kind", cell: ({ kind }) => KINDS[kind] },
          { name: "Version", isNumber: true, cell: ({ version }) => version },
        ]}
      />
    </Panel>
  );
}
