// The latest maintenance logged these lines.

import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "../../api/client.ts";
import { Loaded } from "../../ui/feedback/states.tsx";
import { ofLevels } from "../../ui/runs/log-lines.ts";
import { LogView } from "../../ui/runs/log-view.tsx";

const LINES_MAX = 1_000;
const FOLLOW_MS = 2_000;

type MaintenanceLogProps = { integrationId: string; maintenanceId: string; isRunning: boolean };

export function MaintenanceLog({ integrationId, maintenanceId, isRunning }: MaintenanceLogProps) {
  const log = useQuery({
    queryKey: ["lake", "log", maintenanceId],
    queryFn: () =>
      dataOf(
        api.GET("/v4/admin/lake/maintenance/{integration_id}/job-logs/{job_id}", {
          params: {
            path: { integration_id: integrationId, job_id: maintenanceId },
            query: { limit: LINES_MAX, ascending: true },
          },
        }),
      ),
    refetchInterval: isRunning ? FOLLOW_MS : false,
  });
  return (
    <Loaded query={log}>
      {({ items }) => <LogView label="Log of the maintenance" lines={ofLevels(items)} isLive={isRunning} />}
    </Loaded>
  );
}
