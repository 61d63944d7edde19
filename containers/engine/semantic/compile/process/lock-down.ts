// The compile process gives up files, other modules and every way out, once its code is loaded and before it hears of
// any model. Nothing of a model is ever code here; this is for the day that something is.

import { Socket as DatagramSocket } from "node:dgram";
import { registerHooks } from "node:module";
import { Server, Socket } from "node:net";

/** The rights of Node's permission model that are dropped. Child processes, workers and addons were never permitted. */
const PERMISSIONS = ["fs.read", "fs.write"] as const;
const NETWORK_OF_GLOBALS = ["fetch", "WebSocket", "EventSource"] as const;
const WAYS_OF_PROCESS = [
  "binding",
  "_linkedBinding",
  "getBuiltinModule",
  "dlopen",
  "execve",
  "kill",
  "_kill",
  "_debugProcess",
  "setuid",
  "setgid",
  "report",
  "abort",
] as const;

const shut = (): never => {
  throw new Error("The compile process has no way out.");
};

/** There is no way back. */
export function lockDown(): void {
  for (const permission of PERMISSIONS) permissions().drop(permission);
  registerHooks({ resolve: shut, load: shut });
  // An object that holds a socket, such as standard input, leads to the socket's class.
  for (const [owner, ways] of [
    [Socket.prototype, ["connect"]],
    [Server.prototype, ["listen"]],
    [DatagramSocket.prototype, ["bind", "connect", "send"]],
    // These load code that uses some of the classes above.
    [globalThis, NETWORK_OF_GLOBALS],
    [process, WAYS_OF_PROCESS],
  ] as const) {
    for (const way of ways) Object.defineProperty(owner, way, { value: shut, writable: false, configurable: false });
  }
}

/** Node's types do not know it yet. */
const permissions = (): { drop(scope: string): void } =>
  (process as unknown as { permission: { drop(scope: string): void } }).permission;
