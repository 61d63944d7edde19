// A new destination: its kind, its address, and of one that takes events which. Its secret is shown this once.

import { useState } from "react";
import { api, dataOf } from "../../../api/client.ts";
import { Button, Choice, Group, PasswordInput, TextInput, useInputState } from "../../../ui/controls.ts";
import { ErrorNote } from "../../../ui/feedback/states.tsx";
import { ShownOnce } from "../../../ui/forms/shown-once.tsx";
import { Panel } from "../../../ui/layout/page.tsx";
import { DESTINATIONS_KEY, EventTypes, type Destination, type EventType } from "./destination-state.tsx";
import { useFormAction } from "../../../ui/feedback/use-action.ts";

const KIND_WORDS: Record<Destination["kind"], string> = {
  webhook: "webhook, for deliveries",
  teams: "Teams, for deliveries",
  events: "events, of what happens",
};

export function NewDestination() {
  const [kind, setKind] = useState<Destination["kind"]>("webhook");
  const [name, setName] = useInputState("");
  const [url, setUrl] = useInputState("");
  const [types, setTypes] = useState<EventType[]>([]);
  const create = useFormAction(
    () => {
      const common = { name: name.trim(), url: url.trim() };
      const body = kind === "events" ? { ...common, kind, event_types: types } : { ...common, kind };
      return dataOf(api.POST("/v4/destinations", { body }));
    },
    {
      renews: DESTINATIONS_KEY,
      onDone: () => {
        setName("");
        setUrl("");
      },
    },
  );
  const isIncomplete = !name.trim() || !url.trim() || (kind === "events" && types.length === 0);
  return (
    <Panel title="Add a destination">
      <Group align="end" gap="sm">
        <Choice label="Kind" w={220} value={kind} data={KIND_WORDS} onChange={setKind} />
        <TextInput label="Name" value={name} onChange={setName} />
        <PasswordInput
          label="Address"
          placeholder="https://…"
          w={320}
          autoComplete="off"
          value={url}
          onChange={setUrl}
        />
        <Button loading={create.isPending} disabled={isIncomplete} onClick={() => create.mutate()}>
          Add
        </Button>
      </Group>
      {kind === "events" && <EventTypes value={types} onChange={setTypes} />}
      {create.error && <ErrorNote error={create.error} />}
      {create.data?.secret && <ShownOnce title="Signing secret" secret={create.data.secret} />}
    </Panel>
  );
}
