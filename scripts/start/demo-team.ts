// The demo team: minted once per installation through the API, as any caller could, its lake filled with the sample.

import { step } from "../process/steps.ts";
import { ask, call } from "./platform.ts";
import type { DemoTeam, State } from "./state.ts";

const SAMPLE_MS_MAX = 300_000;
const POLL_MS = 500;

/**
 * Mints the team on the first start and finds it again on the next. Throws an Error for people when the state folder
 * contradicts itself.
 */
export async function openDemoTeam(url: string, state: State): Promise<DemoTeam> {
  const known = await state.readDemoTeam();
  if (known) {
    const { status } = await call({ url: `${url}/v4/me`, method: "GET", key: known.key });
    if (status === 200) return known;
    throw new Error(
      `The demo team's key in ${state.folder} is refused (${status}): its database is another one, or the ` +
        `key was revoked. ${START_AFRESH}`,
    );
  }
  const team = { team_name: "Demo", domain: "example.com", name: "Demo Admin", email: "demo@example.com" };
  const { status, body } = await call({
    url: `${url}/v4/admin/bootstrap`,
    method: "POST",
    key: state.secrets.BOOTSTRAP_SECRET,
    body: team,
  });
  if (status === 409)
    throw new Error(
      `The database in ${state.folder} has an operator already, but the demo team's key is not ` +
        `kept beside it. ${START_AFRESH}`,
    );
  if (status !== 201) throw new Error(`The demo team could not be made (${status}): ${JSON.stringify(body)}`);
  const { key } = (body as { data: { api_key: { key: string } } }).data.api_key;
  const lakes = await ask<{ data: { id: string }[] }>(`${url}/v1/api/integrations?type=lake`, "GET", key);
  const demo = { key, lakeId: lakes.data[0]!.id };
  await state.write("demo-team.json", JSON.stringify(demo));
  return demo;
}

const START_AFRESH = "Remove that folder to start afresh (its data is lost), or name another in FJORD_STATE.";

type SampleAnswer = {
  sample: { status: "absent" | "loading" | "loaded"; error: string | null; tables: { rows: number }[] };
};

/** Loads the sample tables where they are missing, and waits for them. */
export async function loadSample(url: string, { key, lakeId }: DemoTeam): Promise<void> {
  const path = `${url}/v1/api/integrations/${lakeId}/sample`;
  const { sample } = await ask<SampleAnswer>(path, "GET", key);
  if (sample.status === "loaded") return;
  await step("Loading the sample (a shop of about a million rows) into the lake", async (report) => {
    const startedAt = performance.now();
    await ask(path, "POST", key);
    for (;;) {
      const { sample } = await ask<SampleAnswer>(path, "GET", key);
      if (sample.status === "loaded")
        return report(`${sample.tables.length} tables, ${sample.tables.reduce((sum, { rows }) => sum + rows, 0)} rows`);
      if (sample.status === "absent")
        throw new Error(`The sample was not loaded: ${sample.error ?? "the engine gave no reason"}`);
      if (performance.now() - startedAt > SAMPLE_MS_MAX)
        throw new Error(`The sample did not load within ${SAMPLE_MS_MAX / 1_000} s.`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  });
}
