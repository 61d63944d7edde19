// Destinations: addresses of Teams and of webhooks, each tried with one click.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import { usePages } from "../../api/pages.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Group, PasswordInput, Select, Stack, TextInput } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { EmptyState, ErrorNote } from "../../ui/feedback/states.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { ShownOnce } from "../../ui/forms/shown-once.tsx";
import { Panel } from "../../ui/layout/page.tsx";

type Destination = components["schemas"]["Destination"];
/** The kinds that are added here; one of kind events also has types, and is added by the API. */
type AddedKind = Exclude<Destination["kind"], "events">;

export function DestinationList() {
  const mayWrite = useMay("jobs:write");
  const pages = usePages(["destinations"], (offset) =>
    dataOf(api.GET("/v4/destinations", { params: { query: { offset, limit: 50 } } })),
  );
  return (
    <Stack gap="lg">
      <PagedTable
        label="Destinations"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[
          { name: "Name", cell: ({ name }) => name },
          { name: "Kind", cell: ({ kind }) => kind },
          { name: "Host", cell: ({ host }) => host },
          { name: "Changed", cell: ({ updated_at }) => <Time at={updated_at} /> },
          { name: "", cell: (destination) => mayWrite && <Actions destination={destination} /> },
        ]}
        empty={<EmptyState title="No destinations yet">Deliveries go to mail without one.</EmptyState>}
      />
      {mayWrite && <NewDestination />}
    </Stack>
  );
}

function Actions({ destination: { id, name } }: { destination: Destination }) {
  const cache = useQueryClient();
  const params = { path: { destination_id: id } };
  const onError = (error: Error) => showToast(error.message, "bad");
  const test = useMutation({
    mutationFn: () => dataOf(api.POST("/v4/destinations/{destination_id}/test", { params })),
    onSuccess: ({ outcome, error }) =>
      showToast(`${name}: ${outcome}${error ? `: ${error}` : ""}`, outcome === "sent" ? "good" : "bad"),
    onError,
  });
  const remove = useMutation({
    mutationFn: () => bodyOf(api.DELETE("/v4/destinations/{destination_id}", { params })),
    onSuccess: () => cache.invalidateQueries({ queryKey: ["destinations"] }),
    onError,
  });
  return (
    <Group gap="xs" wrap="nowrap">
      <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        Send a test
      </Button>
      <ConfirmButton
        question={`Nothing can be sent to ${name} any more.`}
        verb="Delete"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Delete
      </ConfirmButton>
    </Group>
  );
}

function NewDestination() {
  const cache = useQueryClient();
  const [kind, setKind] = useState<AddedKind>("webhook");
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const create = useMutation({
    mutationFn: () => dataOf(api.POST("/v4/destinations", { body: { kind, name: name.trim(), url: url.trim() } })),
    onSuccess: async () => {
      setName("");
      setUrl("");
      await cache.invalidateQueries({ queryKey: ["destinations"] });
    },
  });
  return (
    <Panel title="Add a destination">
      <Group align="end" gap="sm">
        <Select
          label="Kind"
          w={120}
          allowDeselect={false}
          value={kind}
          data={["webhook", "teams"]}
          onChange={(value) => setKind(value as AddedKind)}
        />
        <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <PasswordInput
          label="Address"
          placeholder="https://…"
          w={320}
          autoComplete="off"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Button loading={create.isPending} disabled={!name.trim() || !url.trim()} onClick={() => create.mutate()}>
          Add
        </Button>
      </Group>
      {create.error && <ErrorNote error={create.error} />}
      {create.data?.secret && <ShownOnce title="Signing secret" secret={create.data.secret} />}
    </Panel>
  );
}
