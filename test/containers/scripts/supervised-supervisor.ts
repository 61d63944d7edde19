// A supervisor in a process of its own, over the program of these tests.

import { fileURLToPath } from "node:url";
import { startSupervisor } from "../../../scripts/supervisor/supervisor.ts";

const main = fileURLToPath(new URL("supervised-program.ts", import.meta.url));
const supervisor = await startSupervisor({
  token: process.env.SUPERVISOR_TOKEN ?? "",
  programs: { engine: { main, environment: ["ENGINE_SECRET"], secret: "ENGINE_SECRET" } },
});
process.on("SIGTERM", () => void supervisor.stop().then(() => process.exit(0)));
process.on("SIGUSR2", () => process.exit(3));
console.log(supervisor.url);
