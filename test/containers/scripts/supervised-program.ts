// A program to supervise: answers GET /status to the holder of its secret, and GET /fork by starting a child of its
// own.

import { spawn } from "node:child_process";
import { createServer } from "node:http";

const { PORT, HOST, ENGINE_SECRET, ...environment } = process.env;
/** A status of each kind of program. */
const running = { statements: 0, requests: 0, jobs: 0, runs: 0 };

createServer((request, response) => {
  const say = (body: unknown) => response.end(JSON.stringify(body));
  if (request.headers.authorization !== `Bearer ${ENGINE_SECRET}`) {
    response.statusCode = 401;
    return say({});
  }
  switch (request.url) {
    case "/status":
      return say({ protocol: 1, ...running });
    case "/begin/statements":
    case "/begin/requests":
    case "/begin/jobs":
    case "/begin/runs":
      return say({ running: ++running[request.url.slice("/begin/".length) as keyof typeof running] });
    case "/fork":
      return say({ pid: spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" }).pid });
    case "/crash":
      return process.exit(3);
    default:
      return say({ pid: process.pid, environment, arguments: process.argv.slice(2) });
  }
}).listen(Number(PORT), HOST, () => console.log("listens"));

if (environment.S3_DIAL !== "deaf") process.on("SIGTERM", () => process.exit(0));
else process.on("SIGTERM", () => undefined);
