// The compile process as the engine sees it: one order at a time, each with an end, and a kill where none comes.

import { execFile, spawn, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Failure } from "../../../core/failure.ts";
import { CompiledModel } from "../../../../../kernel/semantic/model.ts";
import { SemanticSql } from "../../../../../kernel/semantic/query.ts";
import { encodeMessage, MessageReader, type CompileAnswer, type CompileOrder } from "./messages.ts";

const PROGRAM = fileURLToPath(new URL("./program.ts", import.meta.url));
/** The folders that the process may read until it is loaded: the engine's programs, the kernel, and all packages. */
const CODE = [
  ...["../../../..", "../../../../../kernel"].map((folder) => fileURLToPath(new URL(folder, import.meta.url))),
  packagesFolder(),
];
const HEAP_MB = 256;
/** Memory that Node has mapped besides its heap, most of it never touched; the kernel's bound counts both. */
const OTHER_DATA_MB = 768;
/** Time for loading the compiler, on a busy machine. */
const START_MS = 30_000;

const DIED = "The semantic model, or the query of it, took more memory than compiling one may, or broke its compiler.";

/** Answers are parsed, as the process works on what tenants wrote and is not trusted. */
const Answer: z.ZodType<CompileAnswer> = z.union([
  z.strictObject({ ready: z.literal(true) }),
  z.strictObject({ model: CompiledModel }),
  z.strictObject({ sql: SemanticSql }),
  z.strictObject({ refused: z.string() }),
  z.strictObject({ broken: z.string() }),
]);

/** The process has ended, for an unknown reason. */
export class ProcessDied extends Failure {
  constructor() {
    super("resources_exceeded", DIED);
  }
}

export class CompileProcess {
  /** Settles when the process takes its first order; rejects where it can't start. */
  readonly ready: Promise<void>;
  readonly #child: ChildProcess;
  readonly #answers = new MessageReader();
  #waiting: PromiseWithResolvers<CompileAnswer> | undefined;
  #gone = false;
  /** Orders that the process has answered. */
  answered = 0;

  /** `program` runs in place of the compiler's own. */
  constructor(program = PROGRAM) {
    // No core dumps: they would hold models.
    const script = `ulimit -c 0; ulimit -d ${(HEAP_MB + OTHER_DATA_MB) * 1024}; exec "$0" "$@"`;
    const { NODE_COMPILE_CACHE: cache } = process.env;
    this.#child = spawn("/bin/sh", ["-c", script, process.execPath, ...nodeArguments(program, cache), program], {
      // The machine's time zone must not show in any SQL.
      cwd: "/",
      env: { TZ: "UTC", ...(cache ? { NODE_COMPILE_CACHE: cache } : {}) },
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#child.stdout!.on("data", (piece: Buffer) => this.#take(piece));
    this.#child.stdin!.on("error", () => this.kill());
    for (const event of ["exit", "error"]) this.#child.once(event, () => this.#end());
    const timer = setTimeout(() => this.kill(), START_MS);
    this.ready = this.#expect()
      .then(() => closeFiles(this.#child.pid!))
      .finally(() => clearTimeout(timer));
    this.ready.catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get alive(): boolean {
    return !this.#gone;
  }

  /**
   * Rejects with {@link ProcessDied} where the process dies of it. An abort kills the process: it hears nothing while
   * it works.
   */
  async ask(order: CompileOrder, signal: AbortSignal): Promise<CompileAnswer> {
    const stop = (): void => this.kill();
    signal.addEventListener("abort", stop, { once: true });
    try {
      await this.ready;
      signal.throwIfAborted();
      const answer = this.#expect();
      this.#child.stdin!.write(encodeMessage(order));
      const given = await answer;
      this.answered++;
      return given;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  kill(): void {
    this.#child.kill("SIGKILL");
    this.#end();
  }

  #expect(): Promise<CompileAnswer> {
    const waiting = Promise.withResolvers<CompileAnswer>();
    if (this.#gone) waiting.reject(new ProcessDied());
    else this.#waiting = waiting;
    return waiting.promise;
  }

  /**
   * Takes a piece of an answer. A malformed answer, or one that nobody waits for, means that the program is not ours.
   */
  #take(piece: Buffer): void {
    try {
      for (const message of this.#answers.read(piece)) {
        const answer = Answer.parse(message);
        if (!this.#waiting) throw new Error("Nobody asked.");
        this.#waiting.resolve(answer);
        this.#waiting = undefined;
      }
    } catch {
      this.kill();
    }
  }

  #end(): void {
    this.#gone = true;
    this.#waiting?.reject(new ProcessDied());
    this.#waiting = undefined;
  }
}

/**
 * Node's arguments: the process may read only code, has no child processes, workers or addons, and makes no code from
 * text.
 */
const nodeArguments = (program: string, cache: string | undefined): string[] => [
  "--permission",
  ...[...CODE, program].map((path) => `--allow-fs-read=${path}`),
  ...(cache ? [`--allow-fs-read=${cache}`, `--allow-fs-write=${cache}`] : []),
  "--disallow-code-generation-from-strings",
  `--max-old-space-size=${HEAP_MB}`,
  "--no-warnings",
];

/**
 * Lets the process open no file and no socket any more, whatever it runs. Where the machine has no prlimit, Node's
 * permissions and the shut doors of the process itself are what there is.
 */
const closeFiles = (pid: number): Promise<void> =>
  new Promise((resolve) => {
    const bounds = ["--nofile=0:0", "--fsize=0:0"];
    execFile("prlimit", [`--pid=${pid}`, ...bounds], { timeout: START_MS }, () => resolve());
  });

function packagesFolder(): string {
  const found = createRequire(import.meta.url).resolve("@cubejs-backend/schema-compiler/package.json");
  return join(dirname(found), "..", "..");
}
