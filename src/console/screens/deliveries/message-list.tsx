// The log of messages: what became of each, and when it is tried again.

import { useState } from "react";
import { api, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { Button, Group, Modal, SegmentedControl, Stack } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { State, Time, type Tone } from "../../ui/data/values.tsx";
import { EmptyState } from "../../ui/feedback/states.tsx";
import { SELDOM_MS } from "../../ui/runs/run-state.tsx";
import { MessageAttempts, type Message } from "./message-attempts.tsx";
import { useSearch } from "../../ui/use-search.ts";

const TONES: Record<Message["state"], Tone> = { pending: "busy", sent: "good", failed: "bad", unknown: "warn" };
const STATES = Object.keys(TONES) as Message["state"][];

export function MessageList() {
  const [search, changeSearch] = useSearch();
  const [opened, setOpened] = useState<Message>();
  const [delivery, destination] = [search.get("delivery"), search.get("destination")];
  const state = STATES.find((one) => one === search.get("state"));
  const pages = usePages(
    ["messages", delivery, destination, state],
    (offset) => {
      const of = { ...(delivery && { delivery_id: delivery }), ...(destination && { destination_id: destination }) };
      const query = { offset, limit: 50, ...of, ...(state && { state }) };
      return dataOf(api.GET("/v4/messages", { params: { query } }));
    },
    SELDOM_MS,
  );
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        aria-label="States of messages"
        style={{ alignSelf: "start" }}
        value={state ?? "all"}
        data={["all", ...STATES]}
        onChange={(value) => changeSearch({ state: value === "all" ? undefined : value })}
      />
      <PagedTable
        label="Messages"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[
          { name: "State", cell: ({ state: now }) => <State tone={TONES[now]}>{now}</State> },
          { name: "To", cell: ({ channel, target }) => `${channel}: ${target}` },
          { name: "Subject", cell: ({ subject }) => subject },
          { name: "Attempts", isNumber: true, cell: ({ attempts, attempts_max }) => `${attempts} of ${attempts_max}` },
          { name: "Again", cell: ({ next_attempt_at }) => <Time at={next_attempt_at} never="–" /> },
          { name: "Made", cell: ({ created_at }) => <Time at={created_at} /> },
          {
            name: "",
            cell: (message) => (
              <Group gap="xs">
                {message.error}
                {message.note}
                {message.is_held && "waits for an earlier one"}
                {message.attempts > 0 && (
                  <Button size="xs" variant="default" onClick={() => setOpened(message)}>
                    Attempts …
                  </Button>
                )}
              </Group>
            ),
          },
        ]}
        empty={<EmptyState title="No messages">They come here as deliveries run.</EmptyState>}
      />
      <Modal opened={opened !== undefined} onClose={() => setOpened(undefined)} title={opened?.subject} size="xl">
        {opened && <MessageAttempts message={opened} onSentAgain={() => setOpened(undefined)} />}
      </Modal>
    </Stack>
  );
}
