// The events of a time range are sent to their destination again: those that were given up, or all.

import { useState } from "react";
import { api, dataOf } from "../../../api/client.ts";
import { Button, Choice, Group, TextInput, useInputState } from "../../../ui/controls.ts";
import { showToast } from "../../../ui/feedback/toasts.tsx";
import { useAction } from "../../../ui/feedback/use-action.ts";

const DAY_MS = 86_400_000;
/** Each request sends up to a thousand again; the rest of a longer range is another click. */
const REQUESTS_MAX = 20;
const WHICH = { failed: "that were given up", all: "all, even those that arrived" };

export function SendAgain({ destinationId }: { destinationId: string }) {
  const [from, setFrom] = useInputState(localTime(new Date(Date.now() - DAY_MS)));
  const [until, setUntil] = useInputState(localTime(new Date(Date.now() + 60_000)));
  const [which, setWhich] = useState<keyof typeof WHICH>("failed");
  /** Where the range that was sent last goes on, once a click has done its part of it. */
  const [rest, setRest] = useState<{ of: string; after: string }>();
  const of = `${from} ${until} ${which}`;
  const send = useAction(
    () =>
      replay(destinationId, rest?.of === of ? rest.after : null, {
        from: new Date(from).toISOString(),
        until: new Date(until).toISOString(),
        ...(which === "failed" && { states: ["failed"] }),
      }),
    {
      renews: ["messages"],
      onDone: ({ replayed, next }) => {
        setRest(next === null ? undefined : { of, after: next });
        showToast(
          `${replayed} are sent again.${next === null ? "" : " There are more: press again for the next ones."}`,
        );
      },
    },
  );
  return (
    <Group align="end" gap="sm">
      <TextInput label="From" type="datetime-local" value={from} onChange={setFrom} />
      <TextInput label="Until" type="datetime-local" value={until} onChange={setUntil} />
      <Choice label="Events" value={which} data={WHICH} onChange={setWhich} />
      <Button variant="default" loading={send.isPending} disabled={!from || !until} onClick={() => send.mutate()}>
        Send again
      </Button>
    </Group>
  );
}

type Range = { from: string; until: string; states?: "failed"[] };

/** `next`: where there are more. */
async function replay(
  destinationId: string,
  from: string | null,
  range: Range,
): Promise<{ replayed: number; next: string | null }> {
  const params = { path: { destination_id: destinationId } };
  let [replayed, after] = [0, from];
  for (let request = 0; request < REQUESTS_MAX; request++) {
    const body = { ...range, ...(after && { after }) };
    const part = await dataOf(api.POST("/v4/destinations/{destination_id}/replay", { params, body }));
    replayed += part.replayed;
    after = part.next;
    if (after === null) break;
  }
  return { replayed, next: after };
}

/** As a field of date and time takes it: in the browser's zone, to the minute. */
const localTime = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, "2026-01-01T00:00".length);
