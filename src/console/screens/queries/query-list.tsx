// The team's saved queries, found by words and by tag; the address keeps what is looked for.

import { useLocation } from "wouter";
import { Link } from "wouter";
import { api, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { Button, Group, Switch, TextInput, useDebouncedValue } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { State, Time } from "../../ui/data/values.tsx";
import { EmptyState } from "../../ui/feedback/states.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { useSearch } from "../../ui/use-search.ts";

const PAGE_ROWS = 50;
const QUIET_MS = 250;

export function QueryList() {
  const [, navigate] = useLocation();
  const [params, changeSearch] = useSearch();
  const text = params.get("search") ?? "";
  const tag = params.get("tag");
  const isArchive = params.get("archived") === "true";
  const [search] = useDebouncedValue(text, QUIET_MS);
  const set = (name: string, value: string) => changeSearch({ [name]: value || undefined }, { replace: true });
  const pages = usePages(["queries", "list", search, tag, isArchive], (offset) =>
    dataOf(
      api.GET("/v4/queries", {
        params: {
          query: {
            limit: PAGE_ROWS,
            offset,
            ...(search && { search }),
            ...(tag && { tag }),
            archived: isArchive ? "true" : "false",
          },
        },
      }),
    ),
  );
  return (
    <Page
      title="Saved queries"
      lead="Questions that the team asks again. Each keeps its versions, and can be published or delivered."
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => navigate("/query")}>
          New query
        </Button>
      }
    >
      <Group gap="sm">
        <TextInput
          aria-label="Find a saved query"
          placeholder="Find by name or description"
          w={320}
          leftSection={<Icon name="search" size={15} />}
          value={text}
          onChange={(event) => set("search", event.currentTarget.value)}
        />
        {tag && (
          <Button size="xs" variant="default" onClick={() => set("tag", "")}>
            Tag {tag} ×
          </Button>
        )}
        <Switch
          label="Archived"
          checked={isArchive}
          onChange={(event) => set("archived", event.currentTarget.checked ? "true" : "")}
        />
      </Group>
      <PagedTable
        label="Saved queries"
        pages={pages}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            title={search || tag || isArchive ? "No saved query like that" : "Nothing is saved yet"}
            action={<Button onClick={() => navigate("/query")}>Write a query</Button>}
          >
            Write a statement under Query and save it there.
          </EmptyState>
        }
        columns={[
          { name: "Name", cell: ({ id, name }) => <Link href={`/queries/${id}`}>{name}</Link> },
          { name: "Description", cell: ({ description }) => description },
          {
            name: "Tags",
            cell: ({ tags }) =>
              tags.map((one) => (
                <Button key={one} size="compact-xs" variant="light" mr={4} onClick={() => set("tag", one)}>
                  {one}
                </Button>
              )),
          },
          { name: "State", cell: ({ certified }) => certified && <State tone="good">Certified</State> },
          { name: "Version", isNumber: true, cell: ({ version }) => version },
          { name: "Changed", cell: ({ updated_at: at }) => <Time at={at} /> },
        ]}
      />
    </Page>
  );
}
