// The platform's health is shown by its clock, its queues, and messages that nobody could take.

import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "../../api/client.ts";
import { ListTable } from "../../ui/data/list-table.tsx";
import { Duration, State, Time } from "../../ui/data/values.tsx";
import { Loaded } from "../../ui/feedback/states.tsx";
import { Panel } from "../../ui/layout/page.tsx";

const REFRESH_MS = 10_000;
/** The clock ticks each minute. */
const LATE_SECONDS = 150;

export function PlatformPanel() {
  const health = useQuery({
    queryKey: ["platform-health"],
    queryFn: () => dataOf(api.GET("/v4/admin/health")),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Panel title="The platform">
      <Loaded query={health}>
        {({ clock, queues, deadLetters }) => {
          const waiting = queues.filter((queue) => queue.due > 0);
          const isLate = clock.ageSeconds === null || clock.ageSeconds > LATE_SECONDS;
          return (
            <>
              <p>
                <State tone={isLate ? "bad" : "good"}>{isLate ? "the clock is late" : "the clock ticks"}</State> last
                tick <Time at={clock.lastTickAt} />
                {deadLetters.length > 0 && (
                  <>
                    {" "}
                    · <State tone="bad">{`${deadLetters.length} kinds of messages failed for good`}</State>
                  </>
                )}
              </p>
              {waiting.length === 0 ? (
                <p>Nothing waits.</p>
              ) : (
                <ListTable
                  label="Queues"
                  rows={waiting}
                  keyOf={(queue) => queue.kind}
                  columns={[
                    { name: "Work that is due", cell: (queue) => queue.kind.replaceAll("_", " ") },
                    { name: "Waiting", isNumber: true, cell: (queue) => queue.due },
                    { name: "Oldest", cell: (queue) => <Duration ms={queue.ageSeconds * 1_000} /> },
                  ]}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}
