// A statement's phases until its first byte are told in a `Server-Timing` header: ours, then those that the engine
// tells of its own.

import type { EarlierPhases } from "../../../kernel/wire/phases.ts";

/** In milliseconds: finding the key's holder, finding what the statement is for, and until the engine's first byte. */
export type QueryPhases = Required<EarlierPhases> & { engine: number };

/** The form of the engine's timings: the container is the team's, and its answer is passed on to browsers. */
const TIMINGS = /^[a-z]{1,20};dur=\d{1,12}(\.\d{1,6})?(, [a-z]{1,20};dur=\d{1,12}(\.\d{1,6})?){0,19}$/;

/** `placement`: where the statement went, of a team that has several engines. */
export function serverTiming(phases: QueryPhases, reported: string | null, placement?: string): string {
  const ours = Object.entries(phases).map(([phase, ms]) => `${phase};dur=${ms}`);
  if (placement !== undefined) ours.push(`placed;desc="${placement}"`);
  return [...ours, ...(reported !== null && TIMINGS.test(reported) ? [reported] : [])].join(", ");
}
