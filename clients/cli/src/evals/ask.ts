// Answers come from a command that plays the model, or from a file in which they were recorded.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import type { Profile } from "../settings/profiles.ts";
import { UsageError } from "../exit-codes.ts";
import { isMap, parseJson } from "../json.ts";
import { readAnswer, type Answer } from "./answer.ts";
import type { Eval } from "./eval.ts";

/** Throws an `Error` that says why there is no answer. */
export type Ask = (each: Eval, modelId: string | undefined) => Promise<Answer>;

const ANSWER_BYTES_MAX = 256 * 1024;
const COMPLAINT_CHARACTERS_MAX = 500;
const RECORDED_BYTES_MAX = 16 * 1024 * 1024;

export type ModelCommand = Readonly<{ command: string; ms: number; profile: Profile; signal: AbortSignal }>;

/**
 * The command is started for each question by a shell. It finds the question and the way to the platform in its
 * environment, and as JSON in its standard input; its standard output is the answer, as JSON.
 */
export function askCommand({ command, ms, profile, signal }: ModelCommand): Ask {
  const mcpUrl = `${profile.url.replace(/\/+$/, "")}/mcp`;
  return async ({ question }, modelId) => {
    const env = {
      ...process.env,
      ...{ FJORD_URL: profile.url, FJORD_KEY: profile.key, FJORD_MCP_URL: mcpUrl, FJORD_QUESTION: question },
      FJORD_MODEL: modelId ?? "",
    };
    const input = JSON.stringify({ question, mcp_url: mcpUrl, model: modelId ?? null });
    const text = await runCommand(command, { env, input, ms, signal });
    const answer = parseJson(text);
    if (answer === undefined)
      throw new Error(`The command printed no JSON: ${text.trim().slice(0, COMPLAINT_CHARACTERS_MAX) || "nothing"}`);
    return readAnswer(answer);
  };
}

/** A map of questions to answers, as YAML or JSON. */
export async function askRecorded(file: string): Promise<Ask> {
  const text = await readFile(file, "utf8");
  if (text.length > RECORDED_BYTES_MAX) throw new UsageError(`${file} has more than ${RECORDED_BYTES_MAX} bytes.`);
  let answers: unknown;
  try {
    answers = parse(text);
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isMap(answers)) throw new UsageError(`${file} has to be a map of questions to answers.`);
  return async ({ question }) => {
    if (!Object.hasOwn(answers, question)) throw new Error(`${file} has no answer to it.`);
    return readAnswer(answers[question]);
  };
}

type CommandRun = { env: NodeJS.ProcessEnv; input: string; ms: number; signal: AbortSignal };

/** What it prints. It is ended with all that it has started when its time is over, or it prints too much. */
function runCommand(command: string, { env, input, ms, signal }: CommandRun): Promise<string> {
  // A group of its own: the shell's children are ended with it.
  const child = spawn(command, { shell: true, detached: true, env, stdio: ["pipe", "pipe", "pipe"] });
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ["", ""];
    const end = (why: string): void => {
      reject(new Error(why));
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    };
    const interrupt = (): void => end("It was interrupted.");
    const timer = setTimeout(() => end(`The command gave no answer within ${ms / 1_000} s.`), ms);
    signal.addEventListener("abort", interrupt, { once: true });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (stdout.length > ANSWER_BYTES_MAX) end(`The command printed more than ${ANSWER_BYTES_MAX} bytes.`);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-COMPLAINT_CHARACTERS_MAX);
    });
    child.stdin.on("error", () => undefined).end(input);
    child.on("error", (error) => end(error.message));
    child.on("close", (code) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", interrupt);
      if (code === 0) resolve(stdout);
      else reject(new Error(`The command ended with ${code ?? "a signal"}. ${stderr.trim()}`.trim()));
    });
  });
}
