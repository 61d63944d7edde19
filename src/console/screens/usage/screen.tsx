// Usage: what the team holds, stores and has asked for this month, beside what its plan allows.

import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { SimpleGrid } from "../../ui/controls.ts";
import { formatBytes, formatCount, formatDuration } from "../../ui/data/format.ts";
import { Time } from "../../ui/data/values.tsx";
import { Loaded } from "../../ui/feedback/states.tsx";
import { Meter } from "../../ui/figures/meter.tsx";
import { Page, Panel } from "../../ui/layout/page.tsx";

type Usage = components["schemas"]["Usage"];

const HELD: Record<keyof Usage["held"], string> = {
  users: "People",
  keys: "API keys",
  integrations: "Integrations",
  docs: "Docs",
  jobs: "Automations",
  saved_queries: "Saved queries",
};
const STORED: Record<keyof Usage["stored"], string> = { drive_bytes: "Drive", lake_bytes: "Lakes" };
const MONTHLY = {
  queries: { label: "Statements", format: formatCount },
  run_seconds: { label: "Time of runs", format: (seconds: number) => formatDuration(seconds * 1_000) },
  cluster_bytes: { label: "Read by your own Trino", format: formatBytes },
  rows_synced: { label: "Rows synced", format: formatCount },
} satisfies Record<Exclude<keyof Usage["month"], "month" | "resets_at">, object>;

const keysOf = <Key extends string>(record: Record<Key, unknown>) => Object.keys(record) as Key[];

export default function UsageScreen() {
  const usage = useQuery({ queryKey: ["usage"], queryFn: () => dataOf(api.GET("/v4/usage")) });
  return (
    <Page title="Usage" lead="What this team holds and uses, beside what its plan allows.">
      <Loaded query={usage}>{(found) => <Figures usage={found} />}</Loaded>
    </Page>
  );
}

function Figures({ usage: { plan, held, stored, month, rates } }: { usage: Usage }) {
  return (
    <>
      <Panel title={`This month (${month.month})`}>
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xl">
          {keysOf(MONTHLY).map((name) => (
            <Meter key={name} {...MONTHLY[name]} {...month[name]} />
          ))}
        </SimpleGrid>
        <small>
          Counted anew <Time at={month.resets_at} />.
        </small>
      </Panel>
      <Panel title="Stored">
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xl">
          {keysOf(STORED).map((name) => (
            <Meter
              key={name}
              label={STORED[name]}
              format={formatBytes}
              used={stored[name].used}
              limit={stored[name].limit}
              note={
                <>
                  measured <Time at={stored[name].measured_at} never="not yet" />
                </>
              }
            />
          ))}
        </SimpleGrid>
      </Panel>
      <Panel title={`Held on the plan "${plan}"`}>
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xl">
          {keysOf(HELD).map((name) => (
            <Meter key={name} label={HELD[name]} format={formatCount} {...held[name]} />
          ))}
        </SimpleGrid>
        <small>
          Requests a minute: {rates.requests_per_minute ?? "unbounded"} of the team,{" "}
          {rates.requests_per_minute_and_key ?? "unbounded"} of one key.
        </small>
      </Panel>
    </>
  );
}
