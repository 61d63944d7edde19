// Agents read this before they ask: the team's terms, and certified queries with the questions that they answer.

import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { api, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import { usePages } from "../../api/pages.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Modal, useDisclosure } from "../../ui/controls.ts";
import { ListTable } from "../../ui/data/list-table.tsx";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { State, Time } from "../../ui/data/values.tsx";
import { EmptyState, Loaded } from "../../ui/feedback/states.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page, Panel } from "../../ui/layout/page.tsx";
import { TermForm } from "./term-form.tsx";

type VerifiedQuery = components["schemas"]["VerifiedQuery"];

const PAGE_ROWS = 50;

export function KnowledgePage() {
  const mayWrite = useMay("queries:manage");
  const [isAdding, adding] = useDisclosure(false);
  const [, navigate] = useLocation();
  return (
    <Page
      title="Knowledge"
      lead="What agents are given before they ask: what your words mean, and questions whose answers are verified."
      actions={
        mayWrite && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
            New term …
          </Button>
        )
      }
    >
      <Panel title="Glossary">
        <TermList />
      </Panel>
      <Panel title="Verified queries">
        <VerifiedQueries />
      </Panel>
      <Modal opened={isAdding} onClose={adding.close} title="New term">
        {isAdding && <TermForm onSaved={({ id }) => navigate(`/knowledge/${id}`)} />}
      </Modal>
    </Page>
  );
}

function TermList() {
  const pages = usePages(["glossary", "list"], (offset) =>
    dataOf(api.GET("/v4/glossary", { params: { query: { limit: PAGE_ROWS, offset } } })),
  );
  return (
    <PagedTable
      label="Glossary"
      pages={pages}
      keyOf={({ id }) => id}
      empty={
        <EmptyState title="No term yet">
          Write down what your words mean, as net revenue or an active customer: agents take it at its word.
        </EmptyState>
      }
      columns={[
        {
          name: "Term",
          cell: ({ id, term, links }) => (
            <>
              <Link href={`/knowledge/${id}`}>{term}</Link>{" "}
              {links.some(({ missing }) => missing) && <State tone="warn">A link is gone</State>}
            </>
          ),
        },
        { name: "Synonyms", cell: ({ synonyms }) => synonyms.join(", ") },
        { name: "Means", cell: ({ definition }) => definition },
        { name: "Changed", cell: ({ updated_at: at }) => <Time at={at} /> },
      ]}
    />
  );
}

function VerifiedQueries() {
  const query = useQuery({
    queryKey: ["queries", "verified"],
    queryFn: () => dataOf(api.GET("/v4/knowledge", { params: { query: { limit: PAGE_ROWS } } })),
  });
  return (
    <Loaded query={query}>
      {({ verified_queries: found }) => (
        <ListTable
          label="Verified queries"
          rows={found}
          keyOf={({ id }) => id}
          columns={COLUMNS}
          empty={
            <EmptyState title="No query is certified">
              A saved query that an admin certifies is given to agents, with the questions that it answers.
            </EmptyState>
          }
        />
      )}
    </Loaded>
  );
}

const COLUMNS = [
  { name: "Query", cell: ({ id, name }: VerifiedQuery) => <Link href={`/queries/${id}`}>{name}</Link> },
  { name: "Questions", cell: ({ questions }: VerifiedQuery) => questions.join(" ") },
  { name: "Verified by", cell: ({ certified_by_name: name }: VerifiedQuery) => name ?? "somebody gone" },
  { name: "Verified", cell: ({ certified_at: at }: VerifiedQuery) => at !== null && <Time at={at} /> },
  {
    name: "State",
    cell: ({ missing }: VerifiedQuery) =>
      missing.length > 0 && <State tone="bad">{`Gone: ${missing.join(", ")}`}</State>,
  },
];
