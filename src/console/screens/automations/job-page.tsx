// One job: when it runs, its runs as a timeline and as a list, and what can be done with it.

import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import { usePages } from "../../api/pages.ts";
import { Button, Group, Modal, Text, useDisclosure } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Duration, Time } from "../../ui/data/values.tsx";
import { EmptyState, Loaded } from "../../ui/feedback/states.tsx";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { Page, Panel } from "../../ui/layout/page.tsx";
import { isUnderWay, POLL_MS, RunState, SELDOM_MS } from "../../ui/runs/run-state.tsx";
import { Timeline } from "../../ui/runs/timeline.tsx";
import { JobForm } from "./job-form.tsx";
import { JobState } from "./job-state.tsx";
import { jobQuery, RESOURCES, type Job } from "./queries.ts";
import { scheduleWords } from "./schedule-words.ts";
import { useAction } from "../../ui/feedback/use-action.ts";

export function JobPage({ jobId }: { jobId: string }) {
  return <Loaded query={useQuery(jobQuery(jobId))}>{(job) => <JobView job={job} />}</Loaded>;
}

function JobView({ job }: { job: Job }) {
  const isBusy = job.lastRun ? isUnderWay(job.lastRun.state) : false;
  const pages = usePages(
    ["jobs", job.id, "runs"],
    (offset) =>
      dataOf(
        api.GET("/v4/automations/jobs/{job_id}/runs", {
          params: { path: { job_id: job.id }, query: { offset, limit: 30 } },
        }),
      ),
    isBusy ? POLL_MS : SELDOM_MS,
  );
  return (
    <Page title={job.name} trail={<Link href="/automations">Jobs</Link>} actions={<Actions job={job} />}>
      <Group gap="md">
        <JobState job={job} />
        <Text size="sm">{job.schedule ? scheduleWords(job.schedule) : "runs when asked"}</Text>
        {job.enabled && job.nextRunAt && (
          <Text size="sm">
            next <Time at={job.nextRunAt} />
          </Text>
        )}
        <Text size="sm">
          runs a{" "}
          {job.resourceType === "doc" ? <Link href={`/docs/${job.resourceId}`}>doc</Link> : RESOURCES[job.resourceType]}
          {job.docAutomation && `, as its entry ${job.docAutomation} says`}
        </Text>
        <Text size="sm">owner {job.owner.name ?? job.owner.id}</Text>
      </Group>
      <Panel title="Runs">
        {pages.items && pages.items.length > 1 && (
          <Timeline
            label="Runs, the newest last"
            bars={[...pages.items]
              .reverse()
              .map(({ id, state, startedAt, endedAt, created_at }) => ({
                key: id,
                state,
                from: startedAt ?? created_at,
                to: endedAt,
              }))}
          />
        )}
        <PagedTable
          label="Runs of the job"
          pages={pages}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "State",
              cell: ({ id, state, isCancelling }) => (
                <Link href={`/automations/${job.id}/runs/${id}`}>
                  <RunState state={state} isCancelling={isCancelling} />
                </Link>
              ),
            },
            { name: "Ordered", cell: ({ created_at }) => <Time at={created_at} /> },
            { name: "By", cell: ({ cause }) => cause },
            { name: "Attempts", isNumber: true, cell: ({ attempt }) => attempt },
            { name: "Took", isNumber: true, cell: ({ durationMs }) => <Duration ms={durationMs} /> },
            { name: "", cell: ({ error, waitingFor }) => error ?? waitingFor?.message ?? "" },
          ]}
          empty={<EmptyState title="It never ran">It runs at its next time, or when you run it now.</EmptyState>}
        />
      </Panel>
    </Page>
  );
}

function Actions({ job }: { job: Job }) {
  const [, navigate] = useLocation();
  const mayWrite = useMay("jobs:write");
  const [isOpen, dialog] = useDisclosure(false);
  const params = { path: { job_id: job.id } };
  const run = useAction(() => dataOf(api.POST("/v4/automations/jobs/{job_id}/process", { params, body: {} })), {
    renews: ["jobs"],
    onRenewed: (made) => {
      if ("id" in made && made.id) navigate(`/automations/${job.id}/runs/${made.id}`);
    },
  });
  const pause = useAction(
    () => dataOf(api.PATCH("/v4/automations/jobs/{job_id}", { params, body: { enabled: !job.enabled } })),
    { renews: ["jobs"] },
  );
  const remove = useAction(() => bodyOf(api.DELETE("/v4/automations/jobs/{job_id}", { params })), {
    renews: ["jobs"],
    onDone: () => navigate("/automations"),
  });
  if (!mayWrite) return null;
  return (
    <>
      <ConfirmButton
        question="Its schedule and the run that goes on end. What it did stays readable for a while."
        verb="Delete"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Delete
      </ConfirmButton>
      <Button size="xs" variant="default" loading={pause.isPending} onClick={() => pause.mutate()}>
        {job.enabled ? "Pause" : "Resume"}
      </Button>
      <Button size="xs" variant="default" onClick={dialog.open}>
        Change …
      </Button>
      <Button size="xs" loading={run.isPending} onClick={() => run.mutate()}>
        Run now
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={`Change ${job.name}`} size="lg">
        <JobForm job={job} onDone={dialog.close} />
      </Modal>
    </>
  );
}
