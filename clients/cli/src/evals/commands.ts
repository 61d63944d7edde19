// evals: questions with the answers that are expected, checked for their form and run with any model.

import type { Command } from "commander";
import { connect, resolveProfile, LONG_WORK, type AddCommands, type Context } from "../context.ts";
import { askCommand, askRecorded, type Ask } from "./ask.ts";
import { runAnswer } from "./call-tool.ts";
import { compareMembers, compareRows } from "./compare.ts";
import type { Eval, EvalFlaw } from "./eval.ts";
import { Models } from "./models.ts";
import { readEvalFolder } from "./read-folder.ts";
import { EXIT, UsageError } from "../exit-codes.ts";
import { printList } from "../output/list.ts";
import { say } from "../output/terminal.ts";

type CheckFlags = { offline?: boolean };
type RunFlags = { command?: string; answers?: string; timeout: string };

const FOLDER = "evals";
const TIMEOUT_SECONDS_MAX = 3_600;

export const addEvalCommands: AddCommands = (program, contextOf) => {
  const evals = program.command("evals").description("questions with expected answers, for any language model");
  evals
    .command("check")
    .description("check the form of the files, and that the models have the members")
    .argument("[folder]", "a folder or a file", FOLDER)
    .option("--offline", "look at the files alone")
    .action((folder: string, flags: CheckFlags, command: Command) => check(contextOf(command), folder, flags));
  evals
    .command("run")
    .description("ask a model each question, and compare its answers; ends with 1 where one is wrong")
    .argument("[folder]", "a folder or a file", FOLDER)
    .option("--command <command>", "asked for each question: prints {query} or {sql} as JSON")
    .option("--answers <file>", "recorded answers by question, as YAML or JSON")
    .option("--timeout <seconds>", "how long the command may take for one question", "120")
    .action((folder: string, flags: RunFlags, command: Command) => run(contextOf(command), folder, flags));
};

async function check(context: Context, folder: string, { offline }: CheckFlags): Promise<void> {
  const { evals, flaws } = await readEvalFolder(folder);
  const models = offline ? undefined : await Models.list(await connect(context));
  const ofMembers: EvalFlaw[] = [];
  for (const each of models ? evals : []) ofMembers.push(...(await models!.check(each)));
  const all = [...flaws, ...ofMembers];
  if (all.length > 0 || context.options.json)
    await printList(context, all, { place: ({ place }) => place, flaw: ({ message }) => message });
  say(
    `${evals.length} ${evals.length === 1 ? "eval" : "evals"}${offline ? ", not held against a model" : ""}; ${all.length} ${all.length === 1 ? "flaw" : "flaws"}.`,
  );
  if (all.length > 0) process.exitCode = EXIT.failed;
}

/** `error`: there was no answer, or the platform refused it. */
type Outcome = Readonly<{
  question: string;
  place: string;
  outcome: "right" | "wrong" | "error";
  reason: string | null;
}>;

async function run(context: Context, folder: string, flags: RunFlags): Promise<void> {
  const ask = await askerOf(context, flags);
  const { evals, flaws } = await readEvalFolder(folder);
  if (flaws.length > 0)
    throw new UsageError(
      ["The evals have flaws:", ...flaws.map((flaw) => `${flaw.place}: ${flaw.message}`)].join("\n"),
    );
  const fjord = await connect(context, LONG_WORK);
  const models = await Models.list(fjord);
  const outcomes: Outcome[] = [];
  for (const each of evals) {
    context.signal.throwIfAborted();
    outcomes.push(await judge(each));
  }
  await printList(context, outcomes, {
    outcome: ({ outcome }) => outcome,
    question: ({ question }) => question,
    reason: ({ reason }) => reason?.replaceAll(/\s+/g, " "),
  });
  const right = outcomes.filter(({ outcome }) => outcome === "right").length;
  say(`${right} of ${outcomes.length} right.`);
  if (right < outcomes.length) process.exitCode = EXIT.failed;

  async function judge(each: Eval): Promise<Outcome> {
    const { question, place } = each;
    const found = models.find(each);
    const modelId = "id" in found ? found.id : undefined;
    try {
      const answer = await ask(each, modelId);
      const flaw = compareMembers(each, answer);
      // A wrong member is told rather than the rows, which follow from it.
      const reason = flaw ?? compareRows(each, await runAnswer(fjord, answer, modelId)) ?? null;
      return { question, place, outcome: reason === null ? "right" : "wrong", reason };
    } catch (error) {
      context.signal.throwIfAborted();
      return { question, place, outcome: "error", reason: error instanceof Error ? error.message : String(error) };
    }
  }
}

async function askerOf(context: Context, { command, answers, timeout }: RunFlags): Promise<Ask> {
  if ((command === undefined) === (answers === undefined))
    throw new UsageError("Say who answers: --command or --answers.");
  if (answers !== undefined) return askRecorded(answers);
  const seconds = Number(timeout);
  if (!(seconds > 0 && seconds <= TIMEOUT_SECONDS_MAX))
    throw new UsageError(`--timeout takes up to ${TIMEOUT_SECONDS_MAX} seconds, and not ${timeout}.`);
  const profile = await resolveProfile(context);
  return askCommand({ command: command!, ms: seconds * 1_000, profile, signal: context.signal });
}
