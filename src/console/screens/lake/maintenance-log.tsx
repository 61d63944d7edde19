// The latest maintenance logged these lines.

import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "../../api/client.ts";
import { LogLines } from "../../ui/data/log-lines.tsx";
import { Loaded } from "../../ui/feedback/states.tsx";

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
  return <Loaded query={log}>{({ items }) => <LogLines label="Log of the maintenance" lines={items} />}</Loaded>;
}
