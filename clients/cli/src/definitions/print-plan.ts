// A plan and its differences, for people and as JSON.

import type { Context } from "../context.ts";
import { coloured, printable, printJson, say, writeData } from "../output/terminal.ts";
import type { Files } from "./kind.ts";
import { lineDiff } from "./line-diff.ts";
import { filesAt, type PullStep, type PushStep } from "./plan.ts";

type Action = PushStep["action"] | PullStep["action"];

const SHOWN: Readonly<Record<Action, readonly [mark: string, colour: Parameters<typeof coloured>[1]]>> = {
  create: ["+", "green"],
  update: ["~", "yellow"],
  write: ["+", "green"],
  overwrite: ["~", "yellow"],
  conflict: ["!", "red"],
  unchanged: ["=", "dim"],
  leave: [" ", "dim"],
};

const NOTES: Partial<Record<Action, string>> = { conflict: "conflict", leave: "on one side only: left alone" };

export async function printPlan({ options }: Context, steps: readonly (readonly [Action, string])[]): Promise<void> {
  if (options.json) return printJson(steps.map(([action, name]) => ({ action, name })));
  if (steps.length === 0) say("There is nothing.");
  for (const [action, name] of steps) {
    const [mark, colour] = SHOWN[action];
    const note = NOTES[action] === undefined ? "" : `  (${NOTES[action]})`;
    await writeData(`${coloured(`${mark} ${printable(name)}${note}`, colour)}\n`);
  }
}

/** From what the platform has to what the folder has. */
export async function printDifferences({ options }: Context, steps: readonly PushStep[]): Promise<void> {
  const shown = steps.flatMap((step) => {
    if (step.action === "leave" || step.action === "unchanged") return [];
    const { path, normal } = step.local;
    return differencesOf("remote" in step ? filesAt(path, step.remote) : {}, normal);
  });
  if (options.json) return printJson(shown.map(({ path, lines }) => ({ path, lines })));
  for (const { path, lines } of shown) {
    await writeData(`${coloured(`--- ${path} there\n+++ ${path} here`, "bold")}\n`);
    for (const line of lines) {
      const colour = line.startsWith("+") ? "green" : line.startsWith("-") ? "red" : "dim";
      await writeData(`${coloured(printable(line), colour)}\n`);
    }
  }
}

const differencesOf = (there: Files, here: Files): { path: string; lines: string[] }[] =>
  [...new Set([...Object.keys(there), ...Object.keys(here)])]
    .map((path) => ({ path, lines: lineDiff(there[path] ?? "", here[path] ?? "") }))
    .filter(({ lines }) => lines.length > 0);
