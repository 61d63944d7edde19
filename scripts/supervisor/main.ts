// The supervisor as a program of its own: prints its address, then runs until a signal ends it or its parent is gone.
// Settings: SUPERVISOR_TOKEN (required, or nobody could speak to it), SUPERVISOR_PORT, SUPERVISOR_INSTANCES_MAX.

import { startSupervisor } from "./supervisor.ts";

const { SUPERVISOR_PORT, SUPERVISOR_TOKEN, SUPERVISOR_INSTANCES_MAX } = process.env;
if (!SUPERVISOR_TOKEN) throw new Error("SUPERVISOR_TOKEN must be set.");
const supervisor = await startSupervisor({
  token: SUPERVISOR_TOKEN,
  ...(SUPERVISOR_PORT ? { port: Number(SUPERVISOR_PORT) } : {}),
  ...(SUPERVISOR_INSTANCES_MAX ? { instancesMax: Number(SUPERVISOR_INSTANCES_MAX) } : {}),
});
console.log(`Supervisor: ${supervisor.url}`);

let ending = false;
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  await supervisor.stop();
  process.exit(0);
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void end());

// A parent killed outright sends nothing; its child is handed to another parent.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && void end(), 500).unref();
