// An engine that keeps what it is asked, and answers what it is given to answer.

import type { Answer } from "../http.ts";
import { ENGINE_HEADER, PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import { ENGINE_FAILURES, type EngineFailureCode } from "../../../../kernel/wire/failures.ts";

export type EngineRequest = { path: string; body: Answer["body"] };
type Answered = object | { code: EngineFailureCode; message: string };

const NO_ROWS = {
  ...{ columns: [], types: [], data: [], rowCount: 0, truncated: false },
  ...{ timing: { durationMs: 1 }, meta: { requestId: "a", durationMs: 1 }, success: true },
};

/** `answers` are by path; a statement without one is answered with no rows. */
export function recordingEngine(answers: Record<string, Answered | ((body: Answer["body"]) => Answered)> = {}) {
  const asked: EngineRequest[] = [];
  const stub = {
    fetch: async (...request: ConstructorParameters<typeof Request>) => {
      const received = new Request(...request);
      const { pathname: path } = new URL(received.url);
      const body = await received.json();
      asked.push({ path, body });
      const given = answers[path] ?? NO_ROWS;
      const answer = typeof given === "function" ? given(body) : given;
      const status = "code" in answer ? ENGINE_FAILURES[answer.code as EngineFailureCode] : 200;
      return Response.json(answer, { status, headers: { [ENGINE_HEADER]: String(PROTOCOL) } });
    },
    askRunning: async () => undefined,
    askOfStatement: async () => undefined,
  };
  return { asked, answers, bindings: { ENGINE: { getByName: () => stub } } as never };
}
