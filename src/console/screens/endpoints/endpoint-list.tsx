// The published endpoints of the team, and the dialog that publishes a saved query.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { api, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { Button, Modal, Select, useDisclosure } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { EmptyState, ErrorNote } from "../../ui/feedback/states.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { DialogForm } from "../../ui/forms/dialog-form.tsx";
import { addressName, PublishFields, RATE_PER_MINUTE } from "../../ui/forms/publish-fields.tsx";
import { useFormAction } from "../../ui/feedback/use-action.ts";

const PAGE_ROWS = 100;
const CHOICES_MAX = 100;

export function EndpointList() {
  const [params] = useSearchParams();
  const queryId = params.get("publish");
  const [isAdding, adding] = useDisclosure(queryId !== null);
  const pages = usePages(["endpoints"], (offset) =>
    dataOf(api.GET("/v4/endpoints", { params: { query: { limit: PAGE_ROWS, offset } } })),
  );
  const publish = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
      Publish a saved query
    </Button>
  );
  return (
    <Page
      title="Endpoints"
      lead="A saved query that programs call by name, with typed parameters and the rights of one role."
      actions={publish}
    >
      <PagedTable
        label="Endpoints"
        pages={pages}
        keyOf={(endpoint) => endpoint.id}
        empty={
          <EmptyState title="Nothing is published" action={publish}>
            Publish a saved query under a data role: an application calls it with a key that opens nothing else.
          </EmptyState>
        }
        columns={[
          { name: "Name", cell: (endpoint) => <Link href={`/endpoints/${endpoint.id}`}>{endpoint.name}</Link> },
          { name: "Description", cell: (endpoint) => endpoint.description ?? "" },
          { name: "Calls a minute", isNumber: true, cell: (endpoint) => endpoint.rate_per_minute },
          { name: "Tokens", cell: (endpoint) => (endpoint.takes_tokens ? "taken" : "keys alone") },
          { name: "Changed", cell: (endpoint) => <Time at={endpoint.updated_at} /> },
        ]}
      />
      <Modal opened={isAdding} onClose={adding.close} title="Publish a saved query">
        {isAdding && <NewEndpoint queryId={queryId} />}
      </Modal>
    </Page>
  );
}

function NewEndpoint({ queryId: given }: { queryId: string | null }) {
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState<string>();
  const [queryId, setQueryId] = useState(given);
  const [roleId, setRoleId] = useState<string | null>(null);
  const queries = useQuery({
    queryKey: ["queries", "choices"],
    queryFn: () => dataOf(api.GET("/v4/queries", { params: { query: { limit: CHOICES_MAX } } })),
  });
  // The list may be longer than the choices are.
  const query = useQuery({
    queryKey: ["queries", queryId],
    queryFn: () => dataOf(api.GET("/v4/queries/{query_id}", { params: { path: { query_id: queryId! } } })),
    enabled: queryId !== null,
  });
  const name = typed ?? addressName(query.data?.name ?? "");
  const publish = useFormAction(
    () =>
      dataOf(
        api.POST("/v4/endpoints", {
          body: {
            name: name.trim(),
            query_id: query.data!.id,
            query_version: query.data!.version,
            role_id: roleId!,
            description: query.data!.description,
            audience: "fjord",
            numbers: "exact",
            rate_per_minute: RATE_PER_MINUTE,
          },
        }),
      ),
    { renews: ["endpoints"], onRenewed: (endpoint) => navigate(`/endpoints/${endpoint.id}`) },
  );
  const listed = queries.data?.items ?? [];
  const isListed = !query.data || listed.some(({ id }) => id === query.data.id);
  return (
    <DialogForm work={publish} verb="Publish" isIncomplete={!query.data || !roleId || name.trim() === ""}>
      <Select
        label="Saved query"
        searchable
        required
        data={choicesOf(isListed ? listed : [query.data, ...listed])}
        value={queryId}
        onChange={setQueryId}
      />
      {query.error && <ErrorNote error={query.error} />}
      <PublishFields name={name} onName={setTyped} roleId={roleId} onRole={setRoleId} readers="Callers" />
    </DialogForm>
  );
}

const choicesOf = (items: readonly { id: string; name: string }[]) =>
  items.map(({ id, name }) => ({ value: id, label: name }));
