// Destinations: addresses of Teams, of webhooks and of receivers of events, each tried with one click.

import { useState } from "react";
import { Link } from "wouter";
import { api, bodyOf, dataOf } from "../../../api/client.ts";
import { useMay } from "../../../api/me.ts";
import { usePages } from "../../../api/pages.ts";
import { Button, Group, Modal, Stack } from "../../../ui/controls.ts";
import { PagedTable } from "../../../ui/data/paged-table.tsx";
import { Time } from "../../../ui/data/values.tsx";
import { EmptyState } from "../../../ui/feedback/states.tsx";
import { showToast } from "../../../ui/feedback/toasts.tsx";
import { useAction } from "../../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../../ui/forms/confirm-button.tsx";
import { ChangeDestination } from "./change-destination.tsx";
import { DESTINATIONS_KEY, DestinationState, type Destination } from "./destination-state.tsx";
import { NewDestination } from "./new-destination.tsx";

export function DestinationList() {
  const mayManage = useMay("team:manage");
  const [openedId, setOpenedId] = useState<string>();
  const pages = usePages(DESTINATIONS_KEY, (offset) =>
    dataOf(api.GET("/v4/destinations", { params: { query: { offset, limit: 50 } } })),
  );
  const opened = pages.items?.find(({ id }) => id === openedId);
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
          { name: "State", cell: (destination) => <DestinationState destination={destination} /> },
          { name: "Changed", cell: ({ updated_at }) => <Time at={updated_at} /> },
          {
            name: "",
            cell: (destination) =>
              mayManage && <Actions destination={destination} onChange={() => setOpenedId(destination.id)} />,
          },
        ]}
        empty={<EmptyState title="No destinations yet">Deliveries go to mail without one.</EmptyState>}
      />
      {mayManage && <NewDestination />}
      <Modal opened={opened !== undefined} onClose={() => setOpenedId(undefined)} title={opened?.name} size="lg">
        {opened && <ChangeDestination destination={opened} />}
      </Modal>
    </Stack>
  );
}

function Actions({ destination, onChange }: { destination: Destination; onChange: () => void }) {
  const { id, name, kind } = destination;
  const params = { path: { destination_id: id } };
  const test = useAction(() => dataOf(api.POST("/v4/destinations/{destination_id}/test", { params })), {
    onDone: ({ outcome, error }) =>
      showToast(`${name}: ${outcome}${error ? `: ${error}` : ""}`, outcome === "sent" ? "good" : "bad"),
  });
  const remove = useAction(() => bodyOf(api.DELETE("/v4/destinations/{destination_id}", { params })), {
    renews: DESTINATIONS_KEY,
  });
  return (
    <Group gap="xs" wrap="nowrap">
      {kind === "events" && <Link href={`/deliveries?tab=messages&destination=${id}`}>log</Link>}
      <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        Send a test
      </Button>
      <Button size="xs" variant="default" onClick={onChange}>
        Change …
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
