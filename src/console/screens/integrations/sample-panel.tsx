// The sample shop of a lake: loaded by a click, and what it has brought.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { api, bodyOf } from "../../api/client.ts";
import { Button } from "../../ui/controls.ts";
import { ListTable } from "../../ui/data/list-table.tsx";
import { Count, State } from "../../ui/data/values.tsx";
import { ErrorNote, Loaded } from "../../ui/feedback/states.tsx";
import { Panel } from "../../ui/layout/page.tsx";

const LOADING_MS = 2_000;

export function SamplePanel({ integrationId, mayLoad }: { integrationId: string; mayLoad: boolean }) {
  const cache = useQueryClient();
  const params = { path: { integration_id: integrationId } };
  const sample = useQuery({
    queryKey: ["sample", integrationId],
    queryFn: () => bodyOf(api.GET("/v1/api/integrations/{integration_id}/sample", { params })),
    refetchInterval: (query) => (query.state.data?.sample.status === "loading" ? LOADING_MS : false),
  });
  const load = useMutation({
    mutationFn: () => bodyOf(api.POST("/v1/api/integrations/{integration_id}/sample", { params })),
    onSuccess: (answer) => cache.setQueryData(["sample", integrationId], answer),
  });
  return (
    <Panel title="Sample">
      <Loaded query={sample}>
        {({ sample: { status, tables, error } }) => (
          <>
            {error && <ErrorNote error={new Error(error)} />}
            {load.error && <ErrorNote error={load.error} />}
            {status === "loading" && <State tone="busy">loading</State>}
            {status === "absent" && (
              <>
                <p>A shop of about a million rows, to try things on: customers, products, orders and their items.</p>
                {mayLoad && (
                  <div>
                    <Button variant="default" loading={load.isPending} onClick={() => load.mutate()}>
                      Load the sample
                    </Button>
                  </div>
                )}
              </>
            )}
            {tables.length > 0 && (
              <ListTable
                label="Tables of the sample"
                rows={tables}
                keyOf={({ schema, name }) => `${schema}.${name}`}
                columns={[
                  {
                    name: "Table",
                    cell: ({ schema, name }) => (
                      <Link href={`/catalog/${integrationId}/${schema}/${name}`}>{`${schema}.${name}`}</Link>
                    ),
                  },
                  { name: "Rows", isNumber: true, cell: ({ rows }) => <Count value={rows} /> },
                ]}
              />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
