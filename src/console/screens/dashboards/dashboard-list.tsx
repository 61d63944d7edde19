// All dashboards of the team.

import { Link } from "wouter";
import { api, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { Anchor } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { EmptyState } from "../../ui/feedback/states.tsx";
import { Page } from "../../ui/layout/page.tsx";

export function DashboardList() {
  const pages = usePages(["docs", "dashboards"], (offset) =>
    dataOf(api.GET("/v4/docs", { params: { query: { offset, limit: 50, kind: "dashboard" } } })),
  );
  return (
    <Page title="Dashboards" lead="Each tile is read under your own rights, whoever made the dashboard.">
      <PagedTable
        label="Dashboards"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[
          { name: "Name", cell: ({ id, name }) => <Link href={`/dashboards/${id}`}>{name}</Link> },
          { name: "About", cell: ({ description }) => description },
          { name: "Changed", cell: ({ updated_at }) => <Time at={updated_at} /> },
        ]}
        empty={
          <EmptyState
            title="No dashboards yet"
            action={
              <Anchor component={Link} href="/docs/new">
                Write a doc
              </Anchor>
            }
          >
            A doc of the kind dashboard draws its datasets as tiles on a grid.
          </EmptyState>
        }
      />
    </Page>
  );
}
