// Fetches the clients of the ring `engines` once for this machine, into the user's cache. What can't be fetched fails
// the ring with the reason: no client is left out silently.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { cachedFolder } from "../tools/cached-folder.ts";
import {
  ICEBERG_AWS,
  DBT_REQUIREMENTS,
  PYTHON_REQUIREMENTS,
  SPARK_ICEBERG,
  SPARK_REQUIREMENTS,
  TRINO_ICEBERG,
  TRINO_JDBC,
  TRINO_SERVER,
  type MavenFile,
} from "./packages.ts";

const run = promisify(execFile);
const DOWNLOAD_MS = 900_000;
/** Trino 476 needs Java 22. */
const TRINO_JAVA_MIN = 22;
const JAVA_FOLDERS = "/usr/lib/jvm";

/** Folders of the cache; `java` is the home of a Java that runs Trino. */
export type FetchedClients = {
  python: string;
  dbt: string;
  spark: string;
  sparkJars: string[];
  trino: string;
  /** The jar of Trino's JDBC driver. */
  jdbc: string;
  java: string;
};

declare module "vitest" {
  interface ProvidedContext {
    clients: FetchedClients;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  try {
    project.provide("clients", await fetchClients());
  } catch (error) {
    // What a failed set-up throws is not always shown.
    console.error(error);
    throw error;
  }
}

async function fetchClients(): Promise<FetchedClients> {
  const java = await findJava();
  return {
    java,
    python: await pythonFolder("python", PYTHON_REQUIREMENTS, ["--only-binary=:all:"]),
    dbt: await pythonFolder("dbt", DBT_REQUIREMENTS, ["--only-binary=:all:", "--no-deps"]),
    spark: await pythonFolder("spark", SPARK_REQUIREMENTS, ["--no-deps"]),
    sparkJars: [await mavenFile(SPARK_ICEBERG), await mavenFile(ICEBERG_AWS)],
    trino: await trinoFolder(),
    jdbc: await mavenFile(TRINO_JDBC),
  };
}

/** Trino alone, with a Java that runs it. */
export const fetchTrino = async (): Promise<Pick<FetchedClients, "trino" | "java">> => ({
  java: await findJava(),
  trino: await trinoFolder(),
});

/** A folder for PYTHONPATH. Its name has the digest of the list, and this machine's Python. */
async function pythonFolder(name: string, requirements: string, options: string[]): Promise<string> {
  const digest = createHash("sha256")
    .update(await readFile(requirements))
    .digest("hex")
    .slice(0, 16);
  const { stdout } = await run("python3", ["--version"]);
  const folder = join("engines", `${name}-${digest}-${stdout.trim().replace(" ", "-")}`);
  return cachedFolder(folder, async (work) => {
    const quiet = ["--quiet", "--no-input", "--disable-pip-version-check", "--root-user-action=ignore"];
    const args = ["install", ...quiet, ...options, "--require-hashes", "--target", work, "--requirement", requirements];
    await run("python3", ["-m", "pip", ...args], { timeout: DOWNLOAD_MS, maxBuffer: 16 * 1024 * 1024 }).catch(
      (cause: unknown) => {
        throw new Error(
          `The ring engines needs the packages of ${requirements} from the Python index, for CPython 3.11 on Linux, ` +
            "x86-64; python3 -m pip could not install them.",
          { cause },
        );
      },
    );
  });
}

/** The file in the cache, whose digest is the expected one. */
async function mavenFile({ group, artifact, version, type, sha256 }: MavenFile): Promise<string> {
  const name = `${artifact}-${version}.${type}`;
  const folder = await cachedFolder(join("engines", name), async (work) => {
    await mkdir(work);
    const repository = join(work, "repository");
    const what = [`-Dartifact=${group}:${artifact}:${version}:${type}`, "-Dtransitive=false"];
    await run("mvn", ["-q", "-B", `-Dmaven.repo.local=${repository}`, "dependency:get", ...what], {
      timeout: DOWNLOAD_MS,
    }).catch((cause: unknown) => {
      throw new Error(`The ring engines needs ${name} from Maven's central repository; mvn could not get it.`, {
        cause,
      });
    });
    await copyFile(join(repository, ...group.split("."), artifact, version, name), join(work, name));
    const hash = createHash("sha256");
    await pipeline(createReadStream(join(work, name)), hash);
    const found = hash.digest("hex");
    if (found !== sha256) throw new Error(`${name} has the digest ${found}, not ${sha256}.`);
    await run("rm", ["-rf", repository]);
  });
  return join(folder, name);
}

/** A server with the connector to Iceberg as its only plugin. */
async function trinoFolder(): Promise<string> {
  const [server, plugin] = [await mavenFile(TRINO_SERVER), await mavenFile(TRINO_ICEBERG)];
  return cachedFolder(join("engines", `trino-${TRINO_SERVER.version}`), async (work) => {
    const unpacked = join(work, "plugins");
    await mkdir(unpacked, { recursive: true });
    await run("tar", ["-xzf", server, "-C", work, "--strip-components=1"], { timeout: DOWNLOAD_MS });
    await run("python3", ["-m", "zipfile", "-e", plugin, unpacked], { timeout: DOWNLOAD_MS });
    const [name] = await readdir(unpacked);
    await run("mv", [join(unpacked, name!), join(work, "plugin", "iceberg")]);
    await run("rmdir", [unpacked]);
  });
}

/** The home of the newest Java of this machine that Trino takes. */
async function findJava(): Promise<string> {
  const names = await readdir(JAVA_FOLDERS).catch(() => []);
  const homes = [process.env.TRINO_JAVA_HOME, ...names.map((name) => join(JAVA_FOLDERS, name))];
  for (const home of homes) {
    if (home === undefined) continue;
    const release = await readFile(join(home, "release"), "utf8").catch(() => "");
    if (Number(/^JAVA_VERSION="(\d+)/m.exec(release)?.[1] ?? 0) >= TRINO_JAVA_MIN) return home;
  }
  throw new Error(
    `The ring engines needs Java ${TRINO_JAVA_MIN} or newer for Trino, in ${JAVA_FOLDERS} or as TRINO_JAVA_HOME.`,
  );
}
