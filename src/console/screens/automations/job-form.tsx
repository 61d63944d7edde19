// A job, made or changed: what it runs, when, and what becomes of a run that fails or falls due too early.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf } from "../../api/client.ts";
import {
  Button,
  Choice,
  Group,
  NumberInput,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
  useInputState,
} from "../../ui/controls.ts";
import { ErrorNote } from "../../ui/feedback/states.tsx";
import type { Job } from "./queries.ts";
import { nextTimes, scheduleWords } from "./schedule-words.ts";
import { useFormAction } from "../../ui/feedback/use-action.ts";

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const NEXT_SHOWN = 3;

/** What a job of this form may run; a maintenance has a form of its own, at its lake. */
type Chosen = Exclude<Job["resourceType"], "lake_integration_maintenance">;
const PAGE = { params: { query: { limit: 100 } } };
const CHOICES: Record<Chosen, { group: string; list(): Promise<{ items: { id: string; name: string }[] }> }> = {
  doc: { group: "Docs", list: () => dataOf(api.GET("/v4/docs", PAGE)) },
  delivery: { group: "Deliveries", list: () => dataOf(api.GET("/v4/deliveries", PAGE)) },
};

const choicesOf = async ([type, { group, list }]: [string, (typeof CHOICES)[Chosen]]) => ({
  group,
  items: (await list()).items.map(({ id, name }) => ({ value: `${type} ${id}`, label: name })),
});

export function JobForm({ job, onDone }: { job: Job | undefined; onDone: () => void }) {
  const [resource, setResource] = useState<string | null>(job ? `${job.resourceType} ${job.resourceId}` : null);
  const [name, setName] = useInputState(job?.name ?? "");
  const [isScheduled, setIsScheduled] = useInputState(job ? job.schedule !== null : true);
  const [cron, setCron] = useInputState(job?.schedule?.cron ?? "30 6 * * 1-5");
  const [timezone, setTimezone] = useInputState(job?.schedule?.timezone ?? ZONE);
  const [attempts, setAttempts] = useState<number | string>(job?.retry.attempts ?? 1);
  const [overlap, setOverlap] = useState<Job["overlap"]>(job?.overlap ?? "skip");
  const resources = useQuery({
    queryKey: ["jobs", "resources"],
    enabled: job === undefined,
    queryFn: () => Promise.all(Object.entries(CHOICES).map(choicesOf)),
  });
  const save = useFormAction(
    () => {
      const common = {
        schedule: isScheduled ? { cron: cron.trim(), timezone: timezone.trim() } : null,
        retry: { attempts: Number(attempts) },
        overlap,
        ...(name.trim() && { name: name.trim() }),
      };
      if (job)
        return dataOf(
          api.PATCH("/v4/automations/jobs/{job_id}", { params: { path: { job_id: job.id } }, body: common }),
        );
      const [resourceType, resourceId] = resource!.split(" ") as [Chosen, string];
      return dataOf(api.POST("/v4/automations/jobs", { body: { ...common, resourceType, resourceId, enabled: true } }));
    },
    { renews: ["jobs"], onRenewed: onDone },
  );
  const next = isScheduled ? nextTimes({ cron, timezone }, NEXT_SHOWN) : [];
  return (
    <Stack gap="sm">
      {!job && (
        <Select
          label="What it runs"
          placeholder="A doc or a delivery"
          data={resources.data ?? []}
          value={resource}
          onChange={setResource}
          error={resources.error?.message}
          searchable
        />
      )}
      <TextInput label="Name" value={name} onChange={setName} />
      <Switch label="By a schedule" checked={isScheduled} onChange={setIsScheduled} />
      {isScheduled && (
        <>
          <Group grow align="start">
            <TextInput
              label="Cron"
              description="minute hour day month weekday"
              value={cron}
              error={typeof next === "string" ? next : undefined}
              onChange={setCron}
            />
            <TextInput label="Time zone" description="such as Europe/Berlin" value={timezone} onChange={setTimezone} />
          </Group>
          {typeof next !== "string" && (
            <Text size="sm" c="dimmed">
              {scheduleWords({ cron, timezone })}. Next:{" "}
              {next.map((at) => at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })).join(" · ")}
            </Text>
          )}
        </>
      )}
      <Group grow align="start">
        <NumberInput label="Attempts in all" min={1} max={10} value={attempts} onChange={setAttempts} />
        <Choice
          label="A run that falls due during another"
          data={{ skip: "is skipped", queue: "waits for its turn" }}
          value={overlap}
          onChange={setOverlap}
        />
      </Group>
      {save.error && <ErrorNote error={save.error} />}
      <Group justify="end">
        <Button loading={save.isPending} disabled={!job && !resource} onClick={() => save.mutate()}>
          {job ? "Save" : "Make the job"}
        </Button>
      </Group>
    </Stack>
  );
}
