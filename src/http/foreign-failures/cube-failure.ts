// A failure as clients of Cube read it: one text, with the flaws in it, under a status that Cube itself answers.

import { type Problem, PROBLEMS } from "../../core/problem.ts";

/** Under it every answer has the form of Cube's REST API. */
export const CUBE_API = "/cubejs-api";

export const isCubePath = (path: string): boolean => path.startsWith(`${CUBE_API}/`);

/** `message` is what the one failure document would say. Whatever is invalid is 400, as Cube has it. */
export function cubeFailure(problem: Problem, message: string): { status: number; body: { error: string } } {
  const { status } = PROBLEMS[problem.code === "validation_failed" ? "invalid_request" : problem.code];
  const texts = new Set(problem.flaws.slice(0, FLAWS_MAX).map(textOf));
  return { status, body: { error: texts.size > 0 ? [...texts].join(" ") : message } };
}

const FLAWS_MAX = 10;

/** A flaw of the query itself has Cube's words, which name its place. */
const textOf = ({ pointer, message }: Problem["flaws"][number]): string =>
  pointer === "" || pointer.startsWith("/cube_query") ? message : `${pointer}: ${message}`;
