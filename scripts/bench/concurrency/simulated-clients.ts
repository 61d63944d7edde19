// Clients that ask again as soon as they are answered, of simulated engines.

import { SimulatedEngine } from "../../../test/support/unit/placement/simulated-engines.ts";
import { SimulatedTeam } from "../../../test/support/unit/placement/simulated-team.ts";

const SIMULATED_MS = 60_000;
const OPTIONS = { slots: 2, statementsMax: 64, startTakesMs: 1_000 };

/** Statements a second, of which each holds its slot for 60 to 140 ms. */
export function simulateClients(engines: number, clients: number): number {
  const team = new SimulatedTeam(
    Array.from({ length: engines }, () => new SimulatedEngine(OPTIONS)),
    { lostEnds: new Set(), deaths: new Map() },
    () => undefined,
  );
  for (let asked = 0; team.nowMs < SIMULATED_MS; ) {
    for (; asked - team.ended < clients; asked++) {
      const serviceMs = 60 + ((asked * 37) % 80);
      team.arrive({ afterMs: 0, text: `text ${asked % 7}`, table: "table", isLong: false, serviceMs });
    }
    team.advance(Math.min(...team.engines.map((engine) => engine.nextEventAtMs())));
  }
  return (team.ended * 1_000) / team.nowMs;
}
