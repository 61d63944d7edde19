// The compile process as the engine sees it: one order at a time, each with an end, and a kill where none comes.

import { spawn, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../../core/failure.ts";
import { encodeMessage, MessageReader, type CompileAnswer, type CompileOrder } from "./messages.ts";

const PROGRAM = fileURLToPath(new URL("./program.ts", import.meta.url));
/** The container's programs, and all packages: what the process loads. */
const CODE = [fileURLToPath(new URL("../../..", import.meta.url)), packagesFolder()];
const HEAP_MB = 384;
/** What Node has mapped besides its heap; the kernel's bound counts both. */
const OTHER_DATA_MB = 512;

const DIED = "The semantic model, or the query of it, took more than compiling one may, or broke its compiler.";

export class CompileProcess {
  /** Settles when the process takes its first order; rejects where it can't start. */
  readonly ready: Promise<void>;
  readonly #child: ChildProcess;
  readonly #answers = new MessageReader();
  #waiting: { resolve: (answer: CompileAnswer) => void; reject: (error: Error) => void } | undefined;
  #gone = false;

  constructor() {
    const script = `ulimit -c 0; ulimit -d ${(HEAP_MB + OTHER_DATA_MB) * 1024}; exec "$0" "$@"`;
    this.#child = spawn("/bin/sh", ["-c", script, process.execPath, ...nodeArguments(), PROGRAM], {
      env: {},
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.ready = this.#expect().then(() => undefined);
    this.ready.catch(() => undefined);
    this.#child.stdout!.on("data", (piece: Buffer) => this.#take(piece));
    this.#child.stdin!.on("error", () => this.kill());
    for (const event of ["exit", "error"]) this.#child.once(event, () => this.#end());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get alive(): boolean {
    return !this.#gone;
  }

  /** Rejects where the process dies of it. An abort kills the process: it hears nothing while it works. */
  async ask(order: CompileOrder, signal: AbortSignal): Promise<CompileAnswer> {
    const stop = (): void => this.kill();
    signal.addEventListener("abort", stop, { once: true });
    try {
      await this.ready;
      signal.throwIfAborted();
      const answer = this.#expect();
      this.#child.stdin!.write(encodeMessage(order));
      return await answer;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  kill(): void {
    this.#gone = true;
    this.#child.kill("SIGKILL");
  }

  #expect(): Promise<CompileAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<CompileAnswer>();
    if (this.#gone) reject(died());
    else this.#waiting = { resolve, reject };
    return promise;
  }

  #take(piece: Buffer): void {
    try {
      for (const answer of this.#answers.read(piece)) {
        const waiting = this.#waiting;
        this.#waiting = undefined;
        // One that nobody asked for is none of the program's own.
        if (!waiting) this.kill();
        else waiting.resolve(answer as CompileAnswer);
      }
    } catch {
      this.kill();
    }
  }

  #end(): void {
    this.#gone = true;
    this.#waiting?.reject(died());
    this.#waiting = undefined;
  }
}

const died = (): Failure => new Failure("resources_exceeded", DIED);

/** No reading but of code, no writing, no child processes, workers or addons, and no code that is made from text. */
const nodeArguments = (): string[] => [
  "--permission",
  ...CODE.map((folder) => `--allow-fs-read=${folder}`),
  "--disallow-code-generation-from-strings",
  `--max-old-space-size=${HEAP_MB}`,
  "--no-warnings",
];

function packagesFolder(): string {
  const found = createRequire(import.meta.url).resolve("@cubejs-backend/schema-compiler/package.json");
  return join(dirname(found), "..", "..");
}
