// The versions of a saved query: each can be read, and made the newest again.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import { usePages } from "../../api/pages.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Code, Group, Modal, Stack } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { ErrorNote, Loaded } from "../../ui/feedback/states.tsx";
import { Panel } from "../../ui/layout/page.tsx";

type SavedQuery = components["schemas"]["SavedQueryDetail"];

const PAGE_ROWS = 20;

export function QueryVersions({ query }: { query: SavedQuery }) {
  const [shown, setShown] = useState<number>();
  const pages = usePages(["queries", query.id, "versions"], (offset) =>
    dataOf(
      api.GET("/v4/queries/{query_id}/versions", {
        params: { path: { query_id: query.id }, query: { limit: PAGE_ROWS, offset } },
      }),
    ),
  );
  return (
    <Panel title="Versions">
      <PagedTable
        label="Versions"
        pages={pages}
        keyOf={({ version }) => String(version)}
        empty={<p>There is no version.</p>}
        columns={[
          {
            name: "Version",
            cell: ({ version }) => (
              <Button size="compact-xs" variant="subtle" onClick={() => setShown(version)}>
                {version}
                {version === query.version && " (newest)"}
              </Button>
            ),
          },
          { name: "Saved", cell: ({ created_at: at }) => <Time at={at} /> },
        ]}
      />
      <Modal opened={shown !== undefined} onClose={() => setShown(undefined)} size="lg" title={`Version ${shown}`}>
        {shown !== undefined && <Version query={query} version={shown} onClose={() => setShown(undefined)} />}
      </Modal>
    </Panel>
  );
}

type VersionProps = { query: SavedQuery; version: number; onClose: () => void };

function Version({ query, version, onClose }: VersionProps) {
  const cache = useQueryClient();
  const mayWrite = useMay("queries:write");
  const path = { query_id: query.id };
  const kept = useQuery({
    queryKey: ["queries", query.id, "versions", version],
    queryFn: () =>
      dataOf(
        api.GET("/v4/queries/{query_id}/versions/{version}", {
          params: { path: { ...path, version: String(version) } },
        }),
      ),
  });
  const makeNewest = useMutation({
    mutationFn: async () => {
      const { sql, cube_query: cube, integration_id, parameters } = kept.data!;
      const question = sql === undefined ? { cube_query: cube! } : { sql };
      return dataOf(
        api.PATCH("/v4/queries/{query_id}", {
          params: { path, header: { "If-Match": `"${query.version}"` } },
          body: { ...question, integration_id, parameters },
        }),
      );
    },
    onSuccess: async () => {
      onClose();
      await cache.invalidateQueries({ queryKey: ["queries"] });
    },
  });
  return (
    <Loaded query={kept}>
      {({ sql, cube_query: cube }) => (
        <Stack gap="sm">
          <Code block>{sql ?? JSON.stringify(cube, null, 2)}</Code>
          {makeNewest.error && <ErrorNote error={makeNewest.error} />}
          {mayWrite && version !== query.version && (
            <Group justify="end">
              <Button size="xs" loading={makeNewest.isPending} onClick={() => makeNewest.mutate()}>
                Make it the newest again
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
