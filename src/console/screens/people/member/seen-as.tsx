// "See as": which integrations, tables and columns a member reads, as the API decides it at a query.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf } from "../../../api/client.ts";
import type { components } from "../../../api/schema.d.ts";
import { Group, Select } from "../../../ui/controls.ts";
import { ListTable } from "../../../ui/data/list-table.tsx";
import { State, type Tone } from "../../../ui/data/values.tsx";
import { Loaded } from "../../../ui/feedback/states.tsx";
import { Panel } from "../../../ui/layout/page.tsx";

type User = components["schemas"]["User"];
type Access = components["schemas"]["IntegrationAccess"];

const ACCESS: Record<Access["access"], { tone: Tone; text: string }> = {
  all: { tone: "good", text: "reads everything" },
  granted: { tone: "busy", text: "reads what is granted" },
  none: { tone: "quiet", text: "reads nothing" },
};

export function SeenAs({ user }: { user: User }) {
  const [integrationId, setIntegrationId] = useState<string | null>(null);
  const preview = useQuery({
    queryKey: ["users", user.id, "preview", integrationId],
    queryFn: () =>
      dataOf(
        api.GET("/v4/data-access/users/{user_id}/preview", {
          params: {
            path: { user_id: user.id },
            query: integrationId === null ? {} : { integration_id: integrationId },
          },
        }),
      ),
    placeholderData: (before) => before,
  });
  return (
    <Panel title={`What ${user.name} sees`}>
      <Loaded query={preview}>
        {({ integrations, roles, tables, bypass, open }) => (
          <>
            <p>
              {bypass
                ? "Admins read everything: no data role binds them."
                : open
                  ? "No data role binds this member, so everything is open."
                  : `Bound by ${roles.map((role) => role.name).join(", ") || "no role, which opens nothing"}.`}
            </p>
            <Group gap="xs">
              {integrations.map(({ id, name, access }) => (
                <span key={id}>
                  {name} <State tone={ACCESS[access].tone}>{ACCESS[access].text}</State>
                </span>
              ))}
            </Group>
            <Select
              label="Tables of"
              w={280}
              clearable
              placeholder="an integration"
              data={integrations.map(({ id, name }) => ({ value: id, label: name }))}
              value={integrationId}
              onChange={setIntegrationId}
            />
            {tables && (
              <ListTable
                label={`Tables that ${user.name} sees`}
                rows={tables}
                keyOf={({ schema, name }) => `${schema}.${name}`}
                columns={[
                  { name: "Table", cell: ({ schema, name }) => `${schema}.${name}` },
                  { name: "Rows", cell: ({ restricted }) => (restricted ? "some" : "all") },
                  { name: "Columns", cell: ({ columns }) => columns.join(", ") },
                ]}
              />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
