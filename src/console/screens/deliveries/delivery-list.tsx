// All deliveries; one is made here, and run by a job.

import { useState } from "react";
import { Link } from "wouter";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import { usePages } from "../../api/pages.ts";
import { Button, Group, Modal, Stack } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { State, Time } from "../../ui/data/values.tsx";
import { EmptyState } from "../../ui/feedback/states.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { DeliveryForm } from "./delivery-form.tsx";
import { conditionWords, recipientWords, sourceWords, type Delivery } from "./delivery-words.ts";

export function DeliveryList() {
  const mayWrite = useMay("jobs:write");
  const mayManage = useMay("team:manage");
  const [opened, setOpened] = useState<Delivery | "new">();
  const close = () => setOpened(undefined);
  const pages = usePages(["deliveries"], (offset) =>
    dataOf(api.GET("/v4/deliveries", { params: { query: { offset, limit: 50 } } })),
  );
  const remove = useAction(
    (id: string) => bodyOf(api.DELETE("/v4/deliveries/{delivery_id}", { params: { path: { delivery_id: id } } })),
    { renews: ["deliveries"] },
  );
  const create = mayWrite && <Button onClick={() => setOpened("new")}>New delivery …</Button>;
  return (
    <Stack gap="md">
      {pages.items && pages.items.length > 0 && <Group justify="end">{create}</Group>}
      <PagedTable
        label="Deliveries"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[
          { name: "Name", cell: ({ name }) => name },
          { name: "Sends", cell: (delivery) => <Source delivery={delivery} /> },
          { name: "To", cell: ({ to }) => to.map(recipientWords).join(", ") },
          { name: "When", cell: ({ condition }) => conditionWords(condition) },
          { name: "Last run", cell: ({ last_run }) => <LastRun run={last_run} /> },
          {
            name: "",
            cell: (delivery) => (
              <Group gap="xs" wrap="nowrap">
                {mayManage && <Link href={`/deliveries?tab=messages&delivery=${delivery.id}`}>messages</Link>}
                {mayWrite && (
                  <>
                    <Button size="xs" variant="default" onClick={() => setOpened(delivery)}>
                      Change …
                    </Button>
                    <ConfirmButton
                      question={`${delivery.name} ends. The log of its messages stays.`}
                      verb="Delete"
                      onConfirm={() => remove.mutate(delivery.id)}
                    >
                      Delete
                    </ConfirmButton>
                  </>
                )}
              </Group>
            ),
          },
        ]}
        empty={
          <EmptyState title="No deliveries yet" action={create}>
            A delivery sends a saved query or a doc by mail, Slack, Teams or webhook. A job says when.
          </EmptyState>
        }
      />
      <Modal
        opened={opened !== undefined}
        onClose={close}
        title={opened === "new" ? "New delivery" : opened?.name}
        size="lg"
      >
        {opened && <DeliveryForm delivery={opened === "new" ? undefined : opened} onDone={close} />}
      </Modal>
    </Stack>
  );
}

const Source = ({ delivery }: { delivery: Delivery }) =>
  delivery.source.kind === "doc" ? (
    <Link href={`/docs/${delivery.source.doc_id}`}>{sourceWords(delivery)}</Link>
  ) : (
    sourceWords(delivery)
  );

function LastRun({ run }: { run: Delivery["last_run"] }) {
  if (!run) return <State tone="quiet">never ran</State>;
  return (
    <Group gap={8} wrap="nowrap">
      <State tone={run.sent ? "good" : "quiet"}>{run.sent ? "sent" : "nothing to send"}</State>
      <Time at={run.at} />
    </Group>
  );
}
