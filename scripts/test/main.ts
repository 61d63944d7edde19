// `npm test`: everything CI checks, in order of cost. `npm test -- unit e2e` runs only the named steps, and some
// steps run only where they are named. A step that fails shows all it printed; the others still run. The last line sums
// up: `N passed, N failed`.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stepsIn, type Outcome, type Step } from "./steps.ts";

const names = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "fjord-test-"));
const steps = stepsIn(folder);
const unknown = names.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(", ")}. Steps: ${steps.map((step) => step.name).join(", ")}.`);
  process.exit(1);
}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) process.on(signal, () => stop.abort());
process.channel?.unref();

const total: Outcome = { passed: 0, failed: 0, output: "" };
const chosen = steps.filter((step) => (names.length === 0 ? !step.byNameOnly : names.includes(step.name)));
// What only reads the source goes side by side; whatever starts servers has the machine for itself.
const quick = chosen.filter((step) => step.readsOnly);
await Promise.all(quick.map(carryOut));
for (const step of chosen.filter((step) => !step.readsOnly)) await carryOut(step);
await rm(folder, { recursive: true, force: true });
if (stop.signal.aborted) console.log("Stopped before the end.");
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 || stop.signal.aborted ? 1 : 0);

/** Runs a step, prints how it went, and counts it. */
async function carryOut(step: Step): Promise<void> {
  if (stop.signal.aborted) return;
  const startedAt = performance.now();
  console.log(`${step.name}: ${step.title} …`);
  const { passed, failed, output } = await step.run(stop.signal);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  if (failed > 0) console.log(`${output}\n`);
  console.log(`${failed > 0 ? "FAILED" : "passed"} ${step.name}: ${passed} passed, ${failed} failed, ${seconds} s`);
  total.passed += passed;
  total.failed += failed;
}
