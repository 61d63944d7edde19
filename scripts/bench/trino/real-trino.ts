// A real Trino that is the team's own: an integration names it, and it reads the lake by the key minted for it.

import { fetchTrino } from "../../../test/support/node/engines/fetch-clients.ts";
import { readProperties, startTrinoServer } from "../../../test/support/node/engines/trino.ts";
import { freePort } from "../../../test/support/node/servers/server-process.ts";
import { askJson } from "../support/ask.ts";
import type { Platform } from "../support/platform.ts";
import type { TrinoAddress } from "./exchange.ts";

export type RealTrino = { address: TrinoAddress; stop(): Promise<void> };

/** Rejects where Trino cannot be had. */
export async function startRealTrino({ url, key }: Platform): Promise<RealTrino> {
  const clients = await fetchTrino();
  const integrations = `${url}/v1/api/integrations`;
  const { document: lakes } = await askJson<{ data: { id: string }[] }>({ url: `${integrations}?type=lake`, key });
  const port = await freePort();
  const credentials = { url: `http://127.0.0.1:${port}`, username: "fjord", catalog: "lake" };
  const { document: made } = await askJson<{ integration: { id: string } }>({
    ...{ url: integrations, key, body: { type: "trino", lake_id: lakes.data[0]!.id, credentials } },
  });
  const { document: minted } = await askJson<{ lake_properties: string }>({
    ...{ url: `${integrations}/${made.integration.id}/lake_key`, key, body: {} },
  });
  const lake = readProperties(minted.lake_properties);
  const { url: address, stop } = await startTrinoServer(clients, { lake }, { port, isMeasured: true });
  return { address: { url: address, session: { "x-trino-catalog": "lake" } }, stop };
}
