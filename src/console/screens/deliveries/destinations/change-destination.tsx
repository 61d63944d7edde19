// One destination is changed: its name and address, its secret, and of one that takes events which, and whether.

import { useState } from "react";
import { api, dataOf } from "../../../api/client.ts";
import { Button, Divider, Group, PasswordInput, Stack, TextInput, useInputState } from "../../../ui/controls.ts";
import { ErrorNote } from "../../../ui/feedback/states.tsx";
import { showToast } from "../../../ui/feedback/toasts.tsx";
import { useAction, useFormAction } from "../../../ui/feedback/use-action.ts";
import { ShownOnce } from "../../../ui/forms/shown-once.tsx";
import { ChangeSecret } from "../change-secret.tsx";
import { DESTINATIONS_KEY, DestinationState, EventTypes, IS_SIGNED, type Destination } from "./destination-state.tsx";
import { SendAgain } from "./send-again.tsx";

export function ChangeDestination({ destination }: { destination: Destination }) {
  const takesEvents = destination.kind === "events";
  const params = { path: { destination_id: destination.id } };
  const enable = useAction(
    (enabled: boolean) => dataOf(api.PATCH("/v4/destinations/{destination_id}", { params, body: { enabled } })),
    { renews: DESTINATIONS_KEY },
  );
  const renew = useAction(() => dataOf(api.POST("/v4/destinations/{destination_id}/secret", { params })), {
    renews: DESTINATIONS_KEY,
  });
  return (
    <Stack gap="md">
      <Fields destination={destination} />
      {IS_SIGNED[destination.kind] && (
        <>
          <Divider />
          <Group gap="sm">
            <DestinationState destination={destination} />
            {takesEvents && (
              <Button
                size="xs"
                variant="default"
                loading={enable.isPending}
                onClick={() => enable.mutate(!destination.enabled)}
              >
                {destination.enabled ? "Disable" : "Enable"}
              </Button>
            )}
            <ChangeSecret isBusy={renew.isPending} onConfirm={() => renew.mutate()} />
          </Group>
          {renew.data?.secret && <ShownOnce title="Signing secret" secret={renew.data.secret} />}
        </>
      )}
      {takesEvents && destination.enabled && (
        <>
          <Divider />
          <SendAgain destinationId={destination.id} />
        </>
      )}
    </Stack>
  );
}

function Fields({ destination }: { destination: Destination }) {
  const [name, setName] = useInputState(destination.name);
  const [url, setUrl] = useInputState("");
  const [types, setTypes] = useState(destination.event_types ?? []);
  const [description, setDescription] = useInputState(destination.description ?? "");
  const takesEvents = destination.kind === "events";
  const save = useFormAction(
    () => {
      const ofEvents = takesEvents && { event_types: types, description: description.trim() || null };
      const body = { name: name.trim(), ...(url.trim() && { url: url.trim() }), ...ofEvents };
      const params = { path: { destination_id: destination.id } };
      return dataOf(api.PATCH("/v4/destinations/{destination_id}", { params, body }));
    },
    {
      renews: DESTINATIONS_KEY,
      onDone: () => {
        setUrl("");
        showToast("Saved.");
      },
    },
  );
  return (
    <Stack gap="sm">
      <TextInput label="Name" value={name} onChange={setName} />
      <PasswordInput
        label="Another address"
        description={`It is at ${destination.host} now. Left empty, it stays there.`}
        placeholder="https://…"
        autoComplete="off"
        value={url}
        onChange={setUrl}
      />
      {takesEvents && (
        <>
          <EventTypes value={types} onChange={setTypes} />
          <TextInput label="Description" value={description} onChange={setDescription} />
        </>
      )}
      {save.error && <ErrorNote error={save.error} />}
      <Group justify="end">
        <Button
          loading={save.isPending}
          disabled={!name.trim() || (takesEvents && types.length === 0)}
          onClick={() => save.mutate()}
        >
          Save
        </Button>
      </Group>
    </Stack>
  );
}
