// Run as a process of its own, among settings that the SDK would follow: says which files it opened and what it did.

import fs from "node:fs";
import net from "node:net";
import { syncBuiltinESMExports } from "node:module";
import { connect } from "../../../../../containers/engine/sources/snowflake/connection/connect.ts";
import { CREDENTIALS } from "./fake-sessions.ts";

const opened: string[] = [];
const dialled: string[] = [];

/** Everything of `fs` that takes a path, whether it is read, written or only looked at. */
function watch(module: Record<string, unknown>): void {
  for (const [name, original] of Object.entries(module)) {
    if (
      typeof original !== "function" ||
      !/^(?:open|read|write|append|stat|lstat|access|exists|mkdir|create)/.test(name)
    )
      continue;
    module[name] = Object.assign(function (this: unknown, ...args: unknown[]) {
      if (typeof args[0] === "string" && !/\/node_modules\//.test(args[0])) opened.push(`${name} ${args[0]}`);
      return Reflect.apply(original, this, args);
    }, original);
  }
}

watch(fs as unknown as Record<string, unknown>);
watch(fs.promises as unknown as Record<string, unknown>);
const dial = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  const [options] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  const { host, port } = options as { host?: string; port?: number };
  dialled.push(`${host}:${port}`);
  return Reflect.apply(dial, this, args) as net.Socket;
} as typeof dial;
syncBuiltinESMExports();

const connection = await connect(CREDENTIALS, AbortSignal.timeout(20_000));
const rows = await connection.fetchRows("SELECT n FROM numbers", "n", AbortSignal.timeout(20_000));
await connection.close();
const timers = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
process.stdout.write(JSON.stringify({ rows: rows.length, opened, dialled: [...new Set(dialled)], timers }));
