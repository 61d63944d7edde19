// The sandbox's process: environment in, one HTTP server, an orderly end on SIGTERM.

import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { shutDownOnSignal } from "../program/shutdown.ts";
import { takeProgramEnvironment } from "../../kernel/wire/settings.ts";
import { ObjectStore } from "../program/object-store.ts";
import { removeLeftovers } from "../program/leftovers.ts";
import { WorkerPool } from "./processes/pool.ts";
import { chooseJail } from "./processes/choose-jail.ts";
import { lockUids } from "./core/uids.ts";
import type { Drive } from "./drive/drive.ts";
import { DriveMirror } from "./drive/mirror.ts";
import { DriveMount } from "./drive/mount.ts";
import { Envelopes } from "./envelope/envelopes.ts";
import { SANDBOX_PORT } from "../../kernel/wire/sandbox.ts";
import { Proxy } from "./proxy/proxy.ts";
import { findPython } from "./python/interpreter.ts";
import { installRequirements, prepareBase } from "./python/packages.ts";
import { Runs } from "./runs/runs.ts";
import { createSandboxServer } from "./server.ts";
import { makeFolders, readSettings } from "./core/settings.ts";

const { secret, platformUrl, s3Dial, port, host } = takeProgramEnvironment(process.env, "SANDBOX_SECRET", SANDBOX_PORT);
const { S3_ENDPOINT: s3Endpoint = "", WEAK_JAIL_ALLOWED: weak = "" } = process.env;
process.umask(0o022);

const settings = readSettings(process.env);
const { directory } = settings;
void removeLeftovers(dirname(directory));
process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
const firstUid = await lockUids();
await makeFolders(settings, firstUid);

const python = await findPython(process.env);
const proxy = new Proxy({ platformUrl, s3Endpoint, s3Dial });
const socket = join(directory, "proxy.sock");
await proxy.listen(socket);
const store = new ObjectStore(s3Dial);
const drive = await openDrive();
const { jail, status } = await chooseJail({
  settings,
  python,
  basePackages: [],
  proxy: { socket, port: proxy.port },
  drive,
  firstUid,
});

const pool = new WorkerPool(jail);
/**
 * Settles with what is wrong, or null. Datasets wait for it: the first start on a machine fetches what all others find.
 */
const prepared = prepareBase(python, settings.cacheDirectory).then(
  (folder) => {
    jail.basePackages.push(folder);
    return null;
  },
  (error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    const problem = `pandas, pyarrow, duckdb, requests and definite_sdk are missing here: ${why}`;
    console.error(JSON.stringify({ event: "sandbox.packages_missing", problem }));
    return problem;
  },
);
void prepared.then(() => pool.fill());

const envelopes = new Envelopes(join(directory, "runs"));
const runs = new Runs(
  {
    platformUrl: platformUrl.replace(/\/$/, ""),
    store,
    directory: join(directory, "runs"),
    resultBytesMax: settings.limits.fileBytes,
    pool,
    proxy,
    drive,
    driveProblem: jail.driveProblem,
    async packages(requirements) {
      const problem = await prepared;
      return {
        folders:
          requirements.length > 0 ? [await installRequirements(python, join(directory, "packages"), requirements)] : [],
        problem,
      };
    },
  },
  envelopes,
);
const server = createSandboxServer(secret, {
  runs,
  envelopes,
  jail: status,
  drive: drive.kind,
  weakAllowed: weak === "yes",
});

server.listen(port, host, () => {
  const address = server.address();
  console.log(
    JSON.stringify({
      event: "sandbox.listening",
      port: typeof address === "object" ? address?.port : address,
      jail: status,
      drive: drive.kind,
    }),
  );
});

shutDownOnSignal(server, async () => {
  // Each run under way is cancelled and reported, for which it needs the drive and the proxy.
  await Promise.all([runs.stop(), pool.stop()]);
  await Promise.all([proxy.stop(), drive.stop()]);
});

/** Mounted where this machine can do that, else mirrored. */
async function openDrive(): Promise<Drive> {
  const { driveDirectory, driveBytesMax: bytesMax, driveFilesMax: filesMax } = settings;
  const mirror = () =>
    new DriveMirror({
      directory: driveDirectory,
      scratchDirectory: join(directory, "runs"),
      store,
      bytesMax,
      filesMax,
    });
  if (settings.drive === "mirror") return mirror();
  try {
    // With one uid for all, a run could reach what serves the mount.
    if (firstUid === null) throw new Error("Only root can give it a uid of its own.");
    return await DriveMount.start({
      directory,
      driveDirectory,
      user: settings.driveUser,
      store,
      cacheBytesMax: bytesMax,
    });
  } catch (error) {
    if (settings.drive === "mount") throw error;
    console.log(
      JSON.stringify({ event: "sandbox.drive_mirrored", why: error instanceof Error ? error.message : String(error) }),
    );
    return mirror();
  }
}
