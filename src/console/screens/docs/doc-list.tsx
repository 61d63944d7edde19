// All docs, by name and kind, with how each went last.

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { api, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import { usePages } from "../../api/pages.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Group, SegmentedControl, TextInput, useDebouncedValue } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { State, Time, Unknown } from "../../ui/data/values.tsx";
import { EmptyState } from "../../ui/feedback/states.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { RunState, SELDOM_MS } from "../../ui/runs/run-state.tsx";
import { lastRunQuery } from "./queries.ts";
import { useSearch } from "../../ui/use-search.ts";

type Doc = components["schemas"]["Doc"];
const SHOWN = {
  all: {},
  pipeline: { kind: "pipeline" },
  dashboard: { kind: "dashboard" },
  archived: { archived: "true" },
} as const;
const QUIET_MS = 200;

export function DocList() {
  const mayWrite = useMay("docs:write");
  const [search, changeSearch] = useSearch();
  const text = search.get("q") ?? "";
  const asked = search.get("show") ?? "all";
  const show = asked in SHOWN ? (asked as keyof typeof SHOWN) : "all";
  const [name] = useDebouncedValue(text, QUIET_MS);
  const pages = usePages(
    ["docs", "list", name, show],
    (offset) =>
      dataOf(api.GET("/v4/docs", { params: { query: { offset, limit: 50, ...(name && { name }), ...SHOWN[show] } } })),
    SELDOM_MS,
  );
  const create = mayWrite && (
    <Button component={Link} href="/docs/new">
      New doc
    </Button>
  );
  return (
    <Page title="Docs" lead="Datasets that run together, and dashboards that draw them." actions={create}>
      <Group gap="sm">
        <TextInput
          aria-label="Find a doc by its name"
          placeholder="Find by name"
          value={text}
          onChange={(event) => changeSearch({ q: event.currentTarget.value || undefined }, { replace: true })}
        />
        <SegmentedControl
          size="xs"
          aria-label="Kinds of docs"
          value={show}
          onChange={(value) => changeSearch({ show: value === "all" ? undefined : value }, { replace: true })}
          data={[
            { value: "all", label: "All" },
            { value: "pipeline", label: "Pipelines" },
            { value: "dashboard", label: "Dashboards" },
            { value: "archived", label: "Archived" },
          ]}
        />
      </Group>
      <PagedTable
        label="Docs"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[
          { name: "Name", cell: ({ id, name: title }) => <Link href={`/docs/${id}`}>{title}</Link> },
          { name: "Kind", cell: ({ kind }) => kind },
          { name: "Last run", cell: (doc) => <LastRun doc={doc} /> },
          { name: "Version", isNumber: true, cell: ({ version }) => version },
          { name: "Changed", cell: ({ updated_at }) => <Time at={updated_at} /> },
        ]}
        empty={
          <EmptyState title={name || show !== "all" ? "No doc fits" : "No docs yet"} action={!name && create}>
            {name || show !== "all"
              ? "Another name or kind may have one."
              : "A doc holds datasets in SQL, Python and the semantic layer. It runs when you ask, by a schedule or by a webhook."}
          </EmptyState>
        }
      />
    </Page>
  );
}

function LastRun({ doc }: { doc: Doc }) {
  const run = useQuery(lastRunQuery(doc.id));
  if (doc.archived_at) return <State tone="quiet">archived</State>;
  if (run.data === undefined) return run.error ? <Unknown /> : "…";
  if (!run.data) return <RunState state={undefined} />;
  return (
    <Group gap={8} wrap="nowrap">
      <Link href={`/docs/${doc.id}/runs/${run.data.id}`}>
        <RunState state={run.data.state} isCancelling={run.data.is_cancelling} deadlineAt={run.data.deadline_at} />
      </Link>
      <Time at={run.data.created_at} />
    </Group>
  );
}
