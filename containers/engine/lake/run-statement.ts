// The door to the lake: one Lake for the engine's life, opened by the first statement.

import { Failure } from "../core/failure.ts";
import type { LakeGrant, Statement } from "../contract/protocol.ts";
import type { ByteSink } from "../core/sink.ts";
import { Lake, type LakeEnvironment } from "./read/lake.ts";
import { readLakeSettings } from "../core/settings.ts";
import { parseWrite } from "./write/parse/parse-statement.ts";
import { runWrite } from "./write/run-write.ts";

let lake: Lake | undefined;

/** Starts the query processes ahead of the first statement. */
export function openLake(env: LakeEnvironment): Lake {
  return (lake ??= new Lake(env, readLakeSettings()));
}

/** Ends what {@link openLake} started. */
export async function closeLake(): Promise<void> {
  const closing = lake;
  lake = undefined;
  await closing?.stop();
}

/**
 * Answers a statement on the lake. Rejects with a Failure, or the signal's reason, while nothing was written;
 * afterwards a
 * JSON document is ended here with `success:false`, and other formats reject.
 */
export async function runLakeStatement(
  statement: Statement & { target: { kind: "lake"; lake: LakeGrant } },
  env: LakeEnvironment,
  signal: AbortSignal,
  sink: ByteSink,
): Promise<void> {
  try {
    const write = parseWrite(statement.sql);
    if (write) await runWrite({ lake: openLake(env), write, statement, grant: statement.target.lake, signal }, sink);
    else await openLake(env).run(statement, statement.target.lake, signal, sink);
  } catch (error) {
    throw error instanceof Failure ? inCharacters(error, statement.sql) : error;
  }
}

/** Places in a text count JavaScript's units within the lake, and Unicode's characters to others. */
function inCharacters({ code, message, position, cause }: Failure, sql: string): Failure {
  return new Failure(code, message, {
    position: position === undefined ? undefined : [...sql.slice(0, position - 1)].length + 1,
    cause,
  });
}
