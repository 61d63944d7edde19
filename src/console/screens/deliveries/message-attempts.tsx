// The attempts to send one message: when, how long, and what its receiver answered. An event is sent again here.

import { api, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Code, Group, Stack } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Duration, State, Time, type Tone } from "../../ui/data/values.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";

export type Message = components["schemas"]["OutgoingMessage"];
type Outcome = components["schemas"]["MessageAttempt"]["outcome"];

const TONES: Record<Outcome, Tone> = { sent: "good", failed: "warn", refused: "bad", unknown: "warn" };

export function MessageAttempts({ message, onSentAgain }: { message: Message; onSentAgain: () => void }) {
  const path = { message_id: message.id };
  const pages = usePages(["messages", message.id, "attempts"], (offset) =>
    dataOf(api.GET("/v4/messages/{message_id}/attempts", { params: { path, query: { offset, limit: 50 } } })),
  );
  const replay = useAction(() => dataOf(api.POST("/v4/messages/{message_id}/replay", { params: { path } })), {
    renews: ["messages"],
    onDone: onSentAgain,
  });
  return (
    <Stack gap="md">
      {message.payload && <Code block>{JSON.stringify(message.payload, null, 2)}</Code>}
      <PagedTable
        label="Attempts"
        pages={pages}
        keyOf={({ started_at, attempt }) => `${started_at} ${attempt}`}
        columns={[
          { name: "Attempt", isNumber: true, cell: ({ attempt }) => attempt },
          { name: "Outcome", cell: ({ outcome }) => <State tone={TONES[outcome]}>{outcome}</State> },
          { name: "Status", cell: ({ status }) => status ?? "–" },
          { name: "Began", cell: ({ started_at }) => <Time at={started_at} /> },
          { name: "Took", cell: ({ duration_ms }) => <Duration ms={duration_ms} /> },
          { name: "Answer", cell: ({ response, error }) => response || error },
        ]}
        empty={<p>No attempt is kept.</p>}
      />
      {message.channel === "events" && message.state !== "pending" && (
        <Group justify="end">
          <Button variant="default" loading={replay.isPending} onClick={() => replay.mutate()}>
            Send again
          </Button>
        </Group>
      )}
    </Stack>
  );
}
