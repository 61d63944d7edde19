// The hostile program does what a model would do if it were code after all: in the compile process's place, closed down
// as that is, it tries every way out and answers which of them led anywhere. It also holds what no model can come by:
// modules that were loaded before the doors shut.

import * as childProcess from "node:child_process";
import * as dgram from "node:dgram";
import * as dns from "node:dns";
import * as fs from "node:fs";
import * as http from "node:http";
import { createRequire } from "node:module";
import * as net from "node:net";
import * as v8 from "node:v8";
import * as workers from "node:worker_threads";
import { lockDown } from "../../../../containers/engine/semantic/compile/process/lock-down.ts";
import {
  encodeMessage,
  MessageReader,
  type CompileAnswer,
} from "../../../../containers/engine/semantic/compile/process/messages.ts";

/** What the test asks: a port that waits for a visitor, and a file that nobody may read. */
export type Hunt = { port: number; file: string };

const require = createRequire(import.meta.url);
const held = { fetch: globalThis.fetch };
const { stdin, stdout } = process;
const ATTEMPT_MS = 1_000;
/** Its own, and what a shell sets. */
const HARMLESS = ["TZ", "NODE_COMPILE_CACHE", "PWD", "OLDPWD", "SHLVL", "_"];

type Ways = Record<string, () => unknown>;

const waysToFiles = ({ file }: Hunt): Ways => ({
  "read a file": () => fs.readFileSync(file, "utf8"),
  "read a file by promise": () => fs.promises.readFile(file),
  "read its own code": () => fs.readFileSync(import.meta.filename),
  "read the engine's environment": () => fs.readFileSync(`/proc/${process.ppid}/environ`),
  "read its environment": () => fs.readFileSync("/proc/self/environ"),
  "open a file": () => fs.openSync(file, "r"),
  "stream a file": () => once(fs.createReadStream(file), "data"),
  "list a folder": () => fs.readdirSync("/"),
  "write a file": () => fs.writeFileSync(`${file}.written`, "x"),
  "make a folder": () => fs.mkdirSync(`${file}.folder`),
  "link a file": () => fs.symlinkSync(file, `${file}.link`),
  "write a heap snapshot": () => v8.writeHeapSnapshot(`${file}.heapsnapshot`),
  "write a report": () => process.report.writeReport(`${file}.report`),
  "import a file": () => import(file),
  "require a file": () => require(file),
});

const waysToProcesses: Ways = {
  spawn: () => once(childProcess.spawn("true"), "spawn"),
  "spawn and wait": () => childProcess.execFileSync("true"),
  fork: () => once(childProcess.fork(import.meta.filename, { stdio: "ignore" }), "spawn"),
  "start a worker": () => once(new workers.Worker("1", { eval: true }), "online"),
  "signal the engine": () => process.kill(process.ppid, 0),
  "load an addon": () => process.dlopen({ exports: {} }, "/nothing.node"),
};

const waysToTheNetwork = ({ port }: Hunt): Ways => ({
  connect: () => once(net.connect(port, "127.0.0.1"), "connect"),
  "connect by the class of standard input": () => {
    const Class = stdin.constructor as typeof net.Socket;
    return once(
      new (Object.getPrototypeOf(Class) === Function.prototype ? net.Socket : Class)().connect(port),
      "connect",
    );
  },
  "ask by HTTP": () => once(http.get({ port, host: "127.0.0.1" }), "response"),
  fetch: () => held.fetch(`http://127.0.0.1:${port}/`),
  "send a datagram": () =>
    new Promise<void>((resolve, reject) => {
      const socket = dgram.createSocket("udp4");
      socket.once("error", reject);
      socket.send("x", port, "127.0.0.1", (error) => (error ? reject(error) : resolve()));
    }),
  listen: () => once(net.createServer().listen(0), "listening"),
  "resolve a name": () => dns.promises.resolve4("localhost"),
});

const waysToModules: Ways = {
  "import a module": () => import("node:fs"),
  "import a module for code": () => import("node:vm"),
  "require a module": () => require("node:fs"),
  "require a package": () => require("pg"),
  "ask for a builtin": () => process.getBuiltinModule("node:net"),
  "ask for a binding": () => (process as unknown as { binding(name: string): object }).binding("fs"),
  "ask for a linked binding": () =>
    (process as unknown as { _linkedBinding(name: string): object })._linkedBinding("fs"),
};

const waysToCode: Ways = {
  eval: () => (Reflect.get(globalThis, "eval") as (text: string) => unknown)("1"),
  "make a function": () => new Function("return 1")(),
  "make a function by a constructor": () => ((() => undefined).constructor as FunctionConstructor)("return 1")(),
  "make an async function": () => (async () => undefined).constructor("return 1"),
};

const waysToTheEnvironment: Ways = {
  environment: () => {
    const names = Object.keys(process.env).filter((name) => !HARMLESS.includes(name));
    if (names.length === 0) throw new Error("There is nothing in it.");
    return names;
  },
};

function once(emitter: NodeJS.EventEmitter, event: string): Promise<unknown> {
  return new Promise((resolve, reject) => emitter.once(event, resolve).once("error", reject));
}

/** The ways that led somewhere. */
async function hunt(asked: Hunt): Promise<string[]> {
  const ways = {
    ...waysToFiles(asked),
    ...waysToProcesses,
    ...waysToTheNetwork(asked),
    ...waysToModules,
    ...waysToCode,
    ...waysToTheEnvironment,
  };
  const found: string[] = [];
  for (const [name, go] of Object.entries(ways)) {
    const late = new Promise((_, reject) => setTimeout(reject, ATTEMPT_MS));
    try {
      await Promise.race([go(), late]);
      found.push(name);
    } catch {
      // Shut.
    }
  }
  return [...found, `tried ${Object.keys(ways).length}`];
}

/** What the engine must not believe. */
const BABBLE: Record<string, () => void> = {
  junk: () => stdout.write("no message at all, but long enough for a length"),
  "another answer": () => stdout.write(encodeMessage({ sql: { text: "select 1" } } as never)),
  "two answers": () => stdout.write(Buffer.concat([1, 2].map((n) => encodeMessage({ refused: `answer ${n}` })))),
  silence: () => undefined,
  death: () => process.exit(),
};

process.on("uncaughtException", () => undefined);
process.on("unhandledRejection", () => undefined);
const orders = new MessageReader();
stdin.on("data", async (piece: Buffer) => {
  for (const order of orders.read(piece) as Iterable<{ key: string; model: string }>) {
    const babble = BABBLE[order.key];
    if (babble) babble();
    else send({ refused: JSON.stringify(await hunt(JSON.parse(order.model) as Hunt)) });
  }
});
const send = (answer: CompileAnswer): boolean => stdout.write(encodeMessage(answer));
// Without the doors shut, most ways lead somewhere: the test of the tests.
if (process.argv.includes("--open")) process.on("disconnect", () => process.exit(0));
else lockDown();
send({ ready: true });
