// The Worker's entry points. Nothing is decided here.

import { app } from "./app.ts";
import { CRONS } from "./crons.ts";
import { openClients } from "./clients/clients.ts";
import { QUEUES } from "./queues.ts";

export { CatalogObject } from "./lake/catalog/catalog-object.ts";
export { EngineObject } from "./platform/engine/engine-object.ts";
export { LogObject } from "./platform/logs/log-object.ts";
export { MeterObject } from "./platform/meter/meter-object.ts";
export { SandboxObject } from "./platform/sandbox/sandbox-object.ts";
// The container class wants it beside its own class, or it can't take up a container that runs already.
export { ContainerProxy } from "@cloudflare/containers";

export default {
  fetch: app.fetch,

  async queue({ queue, messages }, env) {
    const consume = QUEUES[queue];
    if (!consume) throw new Error(`No consumer is registered for the queue ${queue}.`);
    // Side by side: a message that waits for an engine to start does not hold up its neighbours.
    await Promise.all(messages.map((message) => consume(openClients(env), message)));
  },

  async scheduled({ cron, scheduledTime }, env) {
    const work = CRONS[cron];
    if (!work) throw new Error(`Nothing is registered for the cron ${cron}.`);
    await work(openClients(env), new Date(scheduledTime));
  },
} satisfies ExportedHandler<Env>;
