// The load generator, a program of its own: keep-alive connections on raw sockets, one request in flight on each.
// node load.ts '<LoadOptions as JSON>' prints a LoadReport as JSON. Latency runs from the write to the answer's last
// byte.

import { connect, type Socket } from "node:net";

export type LoadOptions = {
  port: number;
  path: string;
  headers: Record<string, string>;
  connections: number;
  /** Served, but not counted. */
  warmMs: number;
  durationMs: number;
};

export type LoadReport = {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** All answers, those of the warm-up too. */
  served: number;
  /** Bytes of one answer, head and body. */
  answerBytes: number;
  /** The generator's own CPU time over wall time: near 1 it is the generator that was measured. */
  busy: number;
};

async function load(options: LoadOptions): Promise<LoadReport> {
  const head = Object.entries({ Host: `127.0.0.1:${options.port}`, ...options.headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const request = Buffer.from(`GET ${options.path} HTTP/1.1\r\n${head.join("")}\r\n`);
  const latencies: number[] = [];
  let counting = false;
  let answerBytes = 0;
  let served = 0;
  let fail = (_error: Error): void => undefined;
  const failed = new Promise<never>((_, reject) => (fail = reject));

  const sockets = Array.from({ length: options.connections }, () => {
    let sentAt = 0;
    let held: Buffer | undefined;
    const send = () => {
      sentAt = performance.now();
      socket.write(request);
    };
    const take = (count: number, buffer: Uint8Array): boolean => {
      const chunk = Buffer.from(buffer.buffer, buffer.byteOffset, count);
      const answer = held ? Buffer.concat([held, chunk]) : chunk;
      if (!isWhole(answer)) {
        held = Buffer.from(answer);
        return true;
      }
      held = undefined;
      if (!answer.toString("latin1", 0, 12).endsWith(" 200"))
        fail(new Error(`The answer was ${answer.toString("latin1", 0, 600)}`));
      if (counting) latencies.push(performance.now() - sentAt);
      served++;
      answerBytes = answer.length;
      send();
      return true;
    };
    const socket: Socket = connect({
      host: "127.0.0.1",
      port: options.port,
      noDelay: true,
      onread: { buffer: Buffer.alloc(65_536), callback: take },
    });
    socket
      .once("connect", send)
      .once("error", fail)
      .once("end", () => fail(new Error("The server closed a connection.")));
    return socket;
  });

  await Promise.race([failed, after(options.warmMs)]);
  counting = true;
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  await Promise.race([failed, after(options.durationMs)]);
  const { user, system } = process.cpuUsage(cpu);
  const wallMs = performance.now() - startedAt;
  counting = false;
  for (const socket of sockets) socket.removeAllListeners("end").destroy();

  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return {
    requestsPerSecond: (sorted.length / wallMs) * 1_000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    served,
    answerBytes,
    busy: (user + system) / 1_000 / wallMs,
  };
}

/** Whether the bytes hold a whole answer. Only one request is in flight, so nothing follows it. */
function isWhole(answer: Buffer): boolean {
  const headEnd = answer.indexOf("\r\n\r\n");
  if (headEnd < 0) return false;
  const head = answer.toString("latin1", 0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (length) return answer.length >= headEnd + 4 + Number(length[1]);
  // A head may end so as well, by the value of its last header.
  return answer.length > headEnd + 4 && answer.toString("latin1", answer.length - 5) === "0\r\n\r\n";
}

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

console.log(JSON.stringify(await load(JSON.parse(process.argv[2]!) as LoadOptions)));
process.exit();
