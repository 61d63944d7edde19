// All jobs, with when each runs and how it went last.

import { Link, useSearchParams } from "wouter";
import { api, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import { usePages } from "../../api/pages.ts";
import { Button, Modal, SegmentedControl, useDisclosure } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { EmptyState } from "../../ui/feedback/states.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { SELDOM_MS } from "../../ui/runs/run-state.tsx";
import { JobForm } from "./job-form.tsx";
import { JobState } from "./job-state.tsx";
import { RESOURCES, type Job } from "./queries.ts";
import { scheduleWords } from "./schedule-words.ts";

const KINDS = ["all", ...(Object.keys(RESOURCES) as Job["resourceType"][])] as const;

export function JobList() {
  const mayWrite = useMay("jobs:write");
  const [isOpen, dialog] = useDisclosure(false);
  const [search, setSearch] = useSearchParams();
  const kind = KINDS.find((one) => one === search.get("kind")) ?? "all";
  const pages = usePages(
    ["jobs", "list", kind],
    (offset) =>
      dataOf(
        api.GET("/v4/automations/jobs", {
          params: { query: { offset, limit: 50, ...(kind !== "all" && { resourceType: kind }) } },
        }),
      ),
    SELDOM_MS,
  );
  const create = mayWrite && <Button onClick={dialog.open}>New job …</Button>;
  return (
    <Page title="Jobs" lead="What runs by a schedule or when asked, under the rights of its owner." actions={create}>
      <SegmentedControl
        size="xs"
        aria-label="Kinds of jobs"
        style={{ justifySelf: "start" }}
        value={kind}
        onChange={(value) => setSearch(value === "all" ? {} : { kind: value }, { replace: true })}
        data={KINDS.map((value) => ({ value, label: value === "all" ? "All" : RESOURCES[value] }))}
      />
      <PagedTable
        label="Jobs"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[
          { name: "Name", cell: ({ id, name }) => <Link href={`/automations/${id}`}>{name}</Link> },
          { name: "Runs a", cell: ({ resourceType }) => RESOURCES[resourceType] },
          { name: "State", cell: (job) => <JobState job={job} /> },
          { name: "When", cell: ({ schedule }) => (schedule ? scheduleWords(schedule) : "when asked") },
          { name: "Next", cell: ({ nextRunAt, enabled }) => <Time at={enabled ? nextRunAt : null} never="–" /> },
          { name: "Owner", cell: ({ owner }) => owner.name ?? owner.id },
        ]}
        empty={
          <EmptyState title="No jobs yet" action={create}>
            A job runs a doc or a delivery each morning, say, and tries again where an attempt fails.
          </EmptyState>
        }
      />
      <Modal opened={isOpen} onClose={dialog.close} title="New job" size="lg">
        <JobForm job={undefined} onDone={dialog.close} />
      </Modal>
    </Page>
  );
}
