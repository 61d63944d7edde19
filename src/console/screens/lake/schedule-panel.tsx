// A lake is maintained by itself on a schedule.

import { useQuery } from "@tanstack/react-query";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Group, Switch, TextInput, useInputState } from "../../ui/controls.ts";
import { State, Time } from "../../ui/data/values.tsx";
import { ErrorNote, Loaded } from "../../ui/feedback/states.tsx";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { Panel } from "../../ui/layout/page.tsx";
import { pathOf, schedulesQuery } from "./queries.ts";
import { useFormAction } from "../../ui/feedback/use-action.ts";
import { Form } from "../../ui/forms/form.tsx";

type Schedule = components["schemas"]["MaintenanceSchedule"];

export function SchedulePanel({ integrationId }: { integrationId: string }) {
  const schedule = useQuery(schedulesQuery);
  return (
    <Panel title="Schedule">
      <Loaded query={schedule}>
        {({ items }) => {
          const found = items.find((item) => item.integrationId === integrationId) ?? null;
          return <ScheduleForm key={found?.updated_at ?? "none"} integrationId={integrationId} stored={found} />;
        }}
      </Loaded>
    </Panel>
  );
}

function ScheduleForm({ integrationId, stored }: { integrationId: string; stored: Schedule | null }) {
  const [cron, setCron] = useInputState(stored?.cron ?? "");
  const [timezone, setTimezone] = useInputState(stored?.timezone ?? "UTC");
  const [isEnabled, setEnabled] = useInputState(stored?.enabled ?? true);
  const params = pathOf(integrationId);
  const save = useFormAction(
    () =>
      dataOf(
        api.PUT("/v4/admin/lake/maintenance/{integration_id}/schedule", {
          params,
          body: { timezone, enabled: isEnabled, ...(cron.trim() && { cron: cron.trim() }) },
        }),
      ),
    { renews: ["lake", "schedules"] },
  );
  const remove = useFormAction(
    () => bodyOf(api.DELETE("/v4/admin/lake/maintenance/{integration_id}/schedule", { params })),
    { renews: ["lake", "schedules"] },
  );
  const error = save.error ?? remove.error;
  return (
    <>
      {stored ? (
        <p>
          {stored.enabled ? <State tone="good">on</State> : <State tone="quiet">off</State>} {stored.kind}, next{" "}
          <Time at={stored.nextRunAt} never="never" />
          {stored.lastRun && <>, last {stored.lastRun.state}</>}
        </p>
      ) : (
        <p>It is maintained when somebody asks for it. Files that nothing needs are deleted each day all the same.</p>
      )}
      <Form onSubmit={() => save.mutate()}>
        <Group align="end" gap="sm">
          <TextInput label="Cron" placeholder="left empty, a time is picked" value={cron} onChange={setCron} />
          <TextInput label="Time zone" value={timezone} onChange={setTimezone} />
          <Switch label="On" pb={8} checked={isEnabled} onChange={setEnabled} />
          <Button type="submit" variant="default" loading={save.isPending}>
            {stored ? "Save" : "Maintain it on a schedule"}
          </Button>
          {stored && (
            <ConfirmButton
              size="sm"
              question="The lake is then maintained only when somebody asks for it."
              verb="Delete the schedule"
              onConfirm={() => remove.mutate()}
            >
              Delete
            </ConfirmButton>
          )}
        </Group>
      </Form>
      {error && <ErrorNote error={error} />}
    </>
  );
}
