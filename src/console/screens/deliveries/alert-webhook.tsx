// The team's webhook for alerts: where it is told of syncs and jobs that fail, and what became of each telling.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { asProblem } from "../../api/problem.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Group, Stack, TextInput, useInputState } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { State, Time, type Tone } from "../../ui/data/values.tsx";
import { EmptyState, ErrorNote, Loaded } from "../../ui/feedback/states.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { ShownOnce } from "../../ui/forms/shown-once.tsx";
import { Panel } from "../../ui/layout/page.tsx";
import { ChangeSecret } from "./change-secret.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";

type Webhook = components["schemas"]["AlertWebhook"];
type AlertDelivery = components["schemas"]["AlertDelivery"];

const TONES: Record<AlertDelivery["state"], Tone> = { pending: "busy", delivered: "good", failed: "bad" };
const MISSING = 404;

export function AlertWebhook() {
  const webhook = useQuery({
    queryKey: ["alerts", "webhook"],
    queryFn: async (): Promise<Webhook | null> => {
      try {
        return await dataOf(api.GET("/v4/alerts/webhook"));
      } catch (error) {
        if (asProblem(error).status === MISSING) return null;
        throw error;
      }
    },
  });
  const pages = usePages(["alerts", "deliveries"], (offset) =>
    dataOf(api.GET("/v4/alerts/deliveries", { params: { query: { offset, limit: 50 } } })),
  );
  return (
    <Stack gap="lg">
      <Loaded query={webhook}>{(found) => <Settings key={found?.updated_at ?? ""} webhook={found} />}</Loaded>
      <PagedTable
        label="Alerts that were sent"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[
          { name: "Alert", cell: ({ type }) => type },
          { name: "State", cell: ({ state }) => <State tone={TONES[state]}>{state}</State> },
          { name: "Attempts", isNumber: true, cell: ({ attempts, attempts_max }) => `${attempts} of ${attempts_max}` },
          { name: "Again", cell: ({ next_attempt_at }) => <Time at={next_attempt_at} never="–" /> },
          { name: "Made", cell: ({ created_at }) => <Time at={created_at} /> },
          { name: "", cell: ({ error, status }) => error ?? status ?? "" },
        ]}
        empty={<EmptyState title="No alerts yet">Each failure, and each recovery, is sent once.</EmptyState>}
      />
    </Stack>
  );
}

function Settings({ webhook }: { webhook: Webhook | null }) {
  const cache = useQueryClient();
  const [url, setUrl] = useInputState(webhook?.url ?? "");
  const [secret, setSecret] = useState<string | null>(null);
  const refresh = () => cache.invalidateQueries({ queryKey: ["alerts"] });
  const onError = (error: Error) => showToast(error.message, "bad");
  const keepSecret = async (written: { secret: string | null }) => {
    setSecret(written.secret);
    if (!written.secret) await refresh();
  };
  const set = useMutation({
    mutationFn: () => dataOf(api.PUT("/v4/alerts/webhook", { body: { url: url.trim() } })),
    onSuccess: keepSecret,
  });
  const renew = useMutation({
    mutationFn: () => dataOf(api.POST("/v4/alerts/webhook/secret")),
    onSuccess: keepSecret,
    onError,
  });
  const test = useAction(() => dataOf(api.POST("/v4/alerts/webhook/test")), {
    renews: ["alerts"],
    onDone: ({ state, error }) => showToast(error ?? `The test is ${state}.`, state === "failed" ? "bad" : "good"),
  });
  const remove = useAction(() => bodyOf(api.DELETE("/v4/alerts/webhook")), { renews: ["alerts"] });
  return (
    <Panel title="Webhook">
      <Group align="end" gap="sm">
        <TextInput
          label="Address"
          placeholder="https://alerts.example.com/fjord"
          w={380}
          value={url}
          onChange={setUrl}
        />
        <Button loading={set.isPending} disabled={!url.trim()} onClick={() => set.mutate()}>
          {webhook ? "Change" : "Set"}
        </Button>
        {webhook && (
          <>
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              Send a test
            </Button>
            <ChangeSecret size="sm" isBusy={renew.isPending} onConfirm={() => renew.mutate()} />
            <ConfirmButton
              question="Nobody hears of failures any more."
              verb="Remove"
              size="sm"
              isBusy={remove.isPending}
              onConfirm={() => remove.mutate()}
            >
              Remove
            </ConfirmButton>
          </>
        )}
      </Group>
      {webhook && !webhook.enabled && (
        <State tone="bad">{`switched off: ${webhook.disabled_reason ?? "unknown why"}`}</State>
      )}
      {set.error && <ErrorNote error={set.error} />}
      {secret && <ShownOnce title="Signing secret" secret={secret} />}
    </Panel>
  );
}
