// The images without a Docker engine: their Dockerfiles' own commands, run on the files their contexts take.

import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, matchesGlob, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../support/node/servers/server-process.ts";

const run = promisify(execFile);
const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
/** The sandbox tries its jails first. */
const START_MS = 60_000;

const ignoreRules = readFileSync(join(root, ".dockerignore"), "utf8")
  .split("\n")
  .filter((line) => /^[^#]/.test(line));

/** Reads the rules like Docker: the last one that names a path, or a folder it lies in, decides. */
function isInContext(path: string): boolean {
  const segments = path.split("/");
  const itAndItsFolders = segments.map((_, index) => segments.slice(0, index + 1).join("/"));
  const rule = ignoreRules.findLast((rule) =>
    itAndItsFolders.some((name) => matchesGlob(name, rule.replace(/^!/, ""))),
  );
  return rule === undefined || rule.startsWith("!");
}

const IMAGES = [
  { program: "engine", users: ["node"], secret: "ENGINE_SECRET", isCompiled: true },
  // Only root can give each dataset a uid of its own.
  { program: "sandbox", users: [], secret: "SANDBOX_SECRET", isCompiled: false },
];

describe.each(IMAGES)("the $program's image", ({ program, users, secret, isCompiled }) => {
  const dockerfile = readFileSync(join(root, "containers", program, "Dockerfile"), "utf8");
  const instructions = dockerfile.split("\n").filter((line) => /^[A-Z]+ /.test(line));
  const all = (name: string) =>
    instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

  it("has a pinned base, the user it needs, and the program itself as its first process", () => {
    expect(all("ARG")).toEqual([expect.stringMatching(/^NODE=node:24\.\d+\.\d+-[a-z-]+$/)]);
    expect(all("FROM").every((from) => /^(\$\{NODE\}|source)( |$)/.test(from))).toBe(true);
    const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith("FROM ")));
    expect(lastStage.filter((line) => line.startsWith("USER "))).toEqual(users.map((user) => `USER ${user}`));
    expect(JSON.parse(all("CMD")[0]!)).toEqual(["node", `containers/${program}/main.ts`]);
  });

  describe("made from what its context takes", () => {
    let folder: string;
    const compiled = () => ({ NODE_COMPILE_CACHE: join(folder, "compiled") });
    const listCompiled = () => readdir(compiled().NODE_COMPILE_CACHE, { recursive: true });
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "fjord-image-"));
      const taken = all("COPY")
        .filter((line) => !line.startsWith("--from"))
        .flatMap((line) => line.split(" ").slice(0, -1));
      for (const name of new Set(taken)) {
        await cp(join(root, name), join(folder, name), {
          recursive: true,
          filter: (path) => isInContext(relative(root, path)),
        });
      }
      const install = all("RUN").find((line) => line.startsWith("npm ci"))!;
      // What npm passes to this project's scripts is not meant for another folder.
      const env = Object.fromEntries(
        Object.entries(process.env).filter(
          ([name]) => !/^(npm_(lifecycle|package|command|execpath|config_local_prefix)|INIT_CWD)/.test(name),
        ),
      );
      await run("sh", ["-c", `${install} --prefer-offline`], { cwd: folder, env });
      const compile = all("RUN").find((line) => line.startsWith(`node containers/${program}/compile-ahead.ts`));
      expect(compile !== undefined).toBe(isCompiled);
      if (compile) await run("sh", ["-c", compile.split(" && ")[0]!], { cwd: folder, env: { ...env, ...compiled() } });
    }, 240_000);
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it("starts with what its image has compiled, answers its secret and nobody else, and ends by SIGTERM with code 0", async () => {
      const before = isCompiled ? await listCompiled() : undefined;
      const port = await freePort();
      const [, main] = JSON.parse(all("CMD")[0]!) as [string, string];
      const child = spawn(process.execPath, [main], {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          NODE_ENV: "production",
          ...(before && compiled()),
          HOST: "127.0.0.1",
          PORT: String(port),
          ENGINE_CACHE_DIR: join(folder, "cache"),
          [secret]: "a-secret",
          PLATFORM_URL: "http://127.0.0.1:9",
        },
        stdio: "ignore",
      });
      const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
      const status = (secret: string) =>
        fetch(`http://127.0.0.1:${port}/status`, { headers: { authorization: `Bearer ${secret}` } }).then(
          (response) => response.status,
          () => undefined,
        );
      try {
        const until = performance.now() + START_MS;
        while ((await status("a-secret")) !== 200) {
          expect(performance.now()).toBeLessThan(until);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        expect(await status("another")).toBe(401);
      } finally {
        child.kill("SIGTERM");
      }
      expect(await ended).toBe(0);
      if (!before) return;
      expect(before.length).toBeGreaterThan(1_000);
      expect(await listCompiled()).toEqual(before);
    });
  });
});
