// The process supervisor, as the local stand-in of a container runtime: who may speak to it, and what it leaves behind.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { startSupervisor, type Supervisor, type SupervisorOptions } from "../../../scripts/supervisor/supervisor.ts";

const fixture = fileURLToPath(new URL("supervised-program.ts", import.meta.url));
const programs = { engine: { main: fixture, environment: ["ENGINE_SECRET", "S3_DIAL"], secret: "ENGINE_SECRET" } };

const OPEN: Supervisor[] = [];
afterEach(async () => {
  await Promise.all(OPEN.splice(0).map((supervisor) => supervisor.stop()));
});

async function supervise(options: SupervisorOptions = {}) {
  const lines: string[] = [];
  const supervisor = await startSupervisor({ programs, log: (line) => lines.push(line), ...options });
  OPEN.push(supervisor);
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const init = {
      method,
      headers: { authorization: `Bearer ${supervisor.token}`, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const answer = await fetch(supervisor.url + path, init);
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : undefined };
  };
  const start = async (id: string, environment: Record<string, string> = {}) => {
    const { status, body } = await call("POST", `/instances/${id}/start`, {
      program: "engine",
      environment: { ENGINE_SECRET: "s", ...environment },
    });
    return { status, ...body } as { status: number; boot: string; port: number; message?: string };
  };
  return { supervisor, lines, call, start };
}

type Said = { pid: number; environment: Record<string, string> };
const ask = async (port: number, path: string) =>
  (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: "Bearer s" } })).json() as Promise<Said>;

async function until<T>(attempt: () => Promise<T>): Promise<T> {
  const end = Date.now() + 60_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const gone = (...pids: number[]) => until(async () => expect(pids.filter(isAlive)).toEqual([]));

/** `fetch` sets Host and Origin itself; a web page's request is made by hand. */
const rawStatus = (url: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    httpRequest(url, { headers }, (answer) => resolve(answer.resume().statusCode ?? 0))
      .on("error", reject)
      .end();
  });

describe("the supervisor refuses", () => {
  it("whoever lacks the boot's token", async () => {
    const { call } = await supervise();
    for (const authorization of ["", "Bearer wrong", "Basic x"])
      expect((await call("GET", "/instances/a", undefined, { authorization })).status).toBe(401);
    expect((await call("GET", "/instances/a")).status).toBe(404);
  });

  it("a foreign Host and any Origin, whatever the token", async () => {
    const { supervisor } = await supervise();
    const authorization = `Bearer ${supervisor.token}`;
    const url = `${supervisor.url}/instances/a`;
    expect(await rawStatus(url, { authorization, host: "evil.example" })).toBe(403);
    expect(await rawStatus(url, { authorization, host: "127.0.0.1:1" })).toBe(403);
    expect(await rawStatus(url, { authorization, origin: supervisor.url })).toBe(403);
    expect(await rawStatus(url, { authorization, origin: "null" })).toBe(403);
    expect(await rawStatus(url, { authorization })).toBe(404);
  });

  it("any program it doesn't know, and anything that is no program's name", async () => {
    const { call } = await supervise();
    for (const program of ["sh", "constructor", "../main.ts", fixture]) {
      expect((await call("POST", "/instances/a/start", { program, environment: {} })).status).toBe(404);
    }
    expect((await call("POST", "/instances/a/start", { program: ["engine"], environment: {} })).status).toBe(422);
    expect((await call("POST", "/instances/a/start", { program: "engine", environment: { A: 1 } })).status).toBe(422);
  });

  it("a body past its bound", async () => {
    const { call } = await supervise();
    expect(
      (
        await call("POST", "/instances/a/start", {
          program: "engine",
          environment: { ENGINE_SECRET: "x".repeat(100_000) },
        })
      ).status,
    ).toBe(413);
  });
});

describe("a supervised program", () => {
  it("sees its own settings and none of the supervisor's environment", async () => {
    process.env.FJORD_TEST_CANARY = "leaks";
    const { start } = await supervise();
    const { port } = await start("a", { S3_DIAL: "here", NODE_OPTIONS: "--inspect", PATH: "/nowhere" });
    const { environment } = await ask(port, "/");
    delete process.env.FJORD_TEST_CANARY;
    expect(environment).toMatchObject({ S3_DIAL: "here", PATH: process.env.PATH });
    // Where Node keeps what it has compiled, if it keeps it.
    delete environment.NODE_COMPILE_CACHE;
    expect(Object.keys(environment).sort()).toEqual(["HOME", "LANG", "PATH", "S3_DIAL", "SUPERVISOR_PID", "TMPDIR"]);
  });

  it("has its output prefixed, line by line", async () => {
    const { start, lines } = await supervise();
    await start("abcdefghijk");
    await until(async () => expect(lines).toContain("[engine abcdefgh] listens"));
  });

  it.each([
    ["its own exit code", (port: number) => ask(port, "/crash"), 3],
    ["137 after kill -9", async (port: number) => process.kill((await ask(port, "/")).pid, "SIGKILL"), 137],
  ])("reports %s to who waits, and to who asks later", async (_, end, code) => {
    const { start, call } = await supervise();
    const { boot, port } = await start("a");
    const waiting = call("POST", `/boots/${boot}/wait`);
    await end(port).catch(() => undefined);
    const { body } = await waiting;
    expect(body.code).toBe(code);
    expect(await call("POST", `/boots/${boot}/wait`)).toMatchObject({ status: 200, body });
    expect((await call("GET", "/instances/a")).status).toBe(404);
  });

  it("reports 0 after a SIGTERM it obeyed", async () => {
    const { start, call } = await supervise();
    const { boot } = await start("a");
    await call("POST", "/instances/a/signal", { signal: 15 });
    expect((await call("POST", `/boots/${boot}/wait`)).body.code).toBe(0);
  });

  it("takes the processes it started with it when it is killed", async () => {
    const { start } = await supervise();
    const { port } = await start("a");
    const [{ pid }, forked] = [await ask(port, "/"), await ask(port, "/fork")];
    process.kill(pid, "SIGKILL");
    await gone(pid, forked.pid);
  });
});

describe("when as many run as may", () => {
  it("the least recently used idle one makes room", async () => {
    const { start, call } = await supervise({ instancesMax: 2 });
    const first = await start("a");
    await start("b");
    await call("POST", "/instances/a/touch");
    expect((await start("c")).status).toBe(200);
    expect((await call("GET", "/instances/b")).status).toBe(404);
    expect((await call("GET", "/instances/a")).body).toMatchObject({ boot: first.boot });
  });

  it.each([
    ["statements", "requests"],
    ["jobs", "runs"],
  ])(
    "one that works is left alone, and with all at work the platform's own refusal comes: %s, %s",
    async (work, other) => {
      const { start, call } = await supervise({ instancesMax: 2 });
      const [a, b] = [await start("a"), await start("b")];
      await ask(a.port, `/begin/${work}`);
      expect((await start("c")).status).toBe(200);
      expect((await call("GET", "/instances/b")).status).toBe(404);
      await ask((await call("GET", "/instances/c")).body.port, `/begin/${other}`);
      expect(await start("d")).toMatchObject({
        status: 503,
        message: "there is no container instance that can be provided to this durable object",
      });
      expect(b.status).toBe(200);
    },
  );

  it("starts at the same instant don't overshoot", async () => {
    const { start } = await supervise({ instancesMax: 2 });
    const pids = await Promise.all(
      ["a", "b", "c", "d"].map(async (id) => {
        const { port } = await start(id).catch(() => ({ port: 0 }));
        return port
          ? ask(port, "/").then(
              ({ pid }) => pid as number,
              () => 0,
            )
          : 0;
      }),
    );
    expect(pids.filter((pid) => pid > 0 && isAlive(pid)).length).toBeLessThanOrEqual(2);
  });
});

describe("no process is left behind", () => {
  it("when the supervisor stops, even one deaf to SIGTERM", async () => {
    const { start, supervisor } = await supervise({ graceMs: 500 });
    const [a, deaf] = [await start("a"), await start("b", { S3_DIAL: "deaf" })];
    const pids = [(await ask(a.port, "/")).pid, (await ask(deaf.port, "/")).pid, (await ask(a.port, "/fork")).pid];
    await supervisor.stop();
    OPEN.length = 0;
    await gone(...pids);
  });

  it.each([
    ["stops in order", "SIGTERM", 0],
    ["is killed", "SIGKILL", null],
    ["exits without a stop", "SIGUSR2", 3],
  ] as const)("when the supervisor's process %s", async (_, signal, code) => {
    const token = "t".repeat(32);
    const main = spawn(process.execPath, [fileURLToPath(new URL("supervised-supervisor.ts", import.meta.url))], {
      env: { ...process.env, SUPERVISOR_TOKEN: token },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let complaints = "";
    main.stderr.setEncoding("utf8").on("data", (text: string) => void (complaints += text));
    const url = await new Promise<string>((resolve) =>
      main.stdout
        .setEncoding("utf8")
        .on("data", (text: string) => /http\S+/.test(text) && resolve(/http\S+/.exec(text)![0])),
    );
    const answer = await fetch(`${url}/instances/a/start`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ program: "engine", environment: { ENGINE_SECRET: "s" } }),
    });
    const { port } = (await answer.json()) as { port: number };
    const { pid } = await ask(port, "/");
    const forked = await ask(port, "/fork");
    expect(isAlive(pid)).toBe(true);
    const exit = once(main, "exit");
    main.kill(signal);
    expect(await exit).toEqual([code, code === null ? signal : null]);
    expect(complaints).not.toContain("Error");
    await gone(pid, forked.pid, main.pid!);
  });
});
