// The audit log: who did what, when, with which key; what changed stands beside each event.

import { useState } from "react";
import { useSearchParams } from "wouter";
import { api, dataOf } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { Drawer, Group, Stack, TextInput, UnstyledButton, useDebouncedValue } from "../../ui/controls.ts";
import { ListTable } from "../../ui/data/list-table.tsx";
import { Snippet } from "../../ui/data/snippet.tsx";
import { Time } from "../../ui/data/values.tsx";
import { EmptyState } from "../../ui/feedback/states.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { useCursorPages } from "../../api/pages.ts";

type AuditEvent = components["schemas"]["AuditEvent"];

const PAGE_ROWS = 100;
const TYPED_MS = 300;

export default function AuditScreen() {
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState(params.get("action") ?? "");
  const [action] = useDebouncedValue(typed.trim(), TYPED_MS);
  const [opened, setOpened] = useState<AuditEvent>();
  const pages = useCursorPages(["audit", action], (cursor) => {
    const query = { limit: PAGE_ROWS, ...(action && { action }), ...(cursor !== null && { cursor }) };
    return dataOf(api.GET("/v4/audit", { params: { query } }));
  });
  return (
    <Page title="Audit log" lead="Everything that changed something, the newest first.">
      <Group>
        <TextInput
          label="Action"
          placeholder="key.create"
          w={280}
          value={typed}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setTyped(value);
            setParams(value.trim() ? { action: value.trim() } : {}, { replace: true });
          }}
        />
      </Group>
      <PagedTable
        label="Events"
        pages={pages}
        keyOf={(event) => event.id}
        empty={
          <EmptyState title="No such event">
            An action is a noun and a verb with a dot between, such as key.create.
          </EmptyState>
        }
        columns={[
          { name: "When", cell: (event) => <Time at={event.at} /> },
          {
            name: "Action",
            cell: (event) => (
              <UnstyledButton c="var(--mantine-color-anchor)" fz="inherit" onClick={() => setOpened(event)}>
                {event.action}
              </UnstyledButton>
            ),
          },
          {
            name: "By",
            cell: (event) => `${event.actor.name ?? "somebody gone"}${event.by_operator ? ", operator" : ""}`,
          },
          { name: "Of", cell: (event) => <code>{event.subject_id}</code> },
        ]}
      />
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        position="right"
        title={opened?.action}
        size="lg"
      >
        {opened && <Details event={opened} />}
      </Drawer>
    </Page>
  );
}

function Details({ event }: { event: AuditEvent }) {
  const { before, after, key_id, run_id, request_id, subject_id } = event;
  return (
    <Stack gap="sm">
      <ListTable
        label="Facts"
        rows={Object.entries({ Subject: subject_id, Key: key_id, Run: run_id, Request: request_id })}
        keyOf={([name]) => name}
        columns={[
          { name: "Fact", cell: ([name]) => name },
          { name: "Value", cell: ([, value]) => (value === null ? "none" : <code>{value}</code>) },
        ]}
      />
      {before && <Json title="Before" value={before} />}
      {after && <Json title="After" value={after} />}
    </Stack>
  );
}

const Json = ({ title, value }: { title: string; value: object }) => (
  <div>
    <h3>{title}</h3>
    <Snippet text={JSON.stringify(value, null, 2)} label={title} />
  </div>
);
