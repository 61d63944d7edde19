// A process that does one maintenance job and ends: `node maintain-once.ts <platform's URL> <job as JSON>`. Tests kill
// it.

import { readLakeSettings } from "../../../../containers/engine/core/settings.ts";
import { Jobs } from "../../../../containers/engine/jobs/jobs.ts";
import { workKinds } from "../../../../containers/engine/jobs/work-kinds.ts";
import { JobRequest } from "../../../../kernel/jobs/work.ts";

const [url = "", request = "{}"] = process.argv.slice(2);
const jobs = new Jobs({ platformUrl: url, s3Dial: "" }, workKinds(readLakeSettings({})));
const job = JobRequest.parse(JSON.parse(request));
jobs.start(job);
while (jobs.get(job.id)?.state === "running") await new Promise((resolve) => setTimeout(resolve, 5));
process.exit(0);
