// What deliveries are handed of the jobs that run them for docs.

import type { DeliveryJobs } from "../../deliveries/of-entry.ts";
import { deleteAutomationJob } from "../jobs/delete.ts";
import { noteDeliveryChange } from "./store.ts";

const changeStatements: DeliveryJobs["changeStatements"] = ({ scope, db }, id, when) => [
  noteDeliveryChange(db, { teamId: scope.teamId, id }, when),
];

export const DELIVERY_JOBS: DeliveryJobs = { changeStatements, deleteJob: deleteAutomationJob };
