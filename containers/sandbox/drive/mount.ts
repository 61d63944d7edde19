// The drive mounted: rclone, as a uid of its own, shows what our WebDAV server serves; each worker gets a folder of it.

import { execFile, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chown, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { ObjectStore } from "../../program/object-store.ts";
import type { Drive, DriveFolder, DriveReader } from "./drive.ts";
import { DriveServer, CHECK_NAME } from "./webdav.ts";

const run = promisify(execFile);
const START_MS = 10_000;
const LEAVE_MS = 2_000;
const NOT_MOUNTED = "The team's drive could not be mounted just now. Try again.";

export type MountOptions = {
  /** This boot's own folder; the mount's own folders are made in it. */
  directory: string;
  /** An empty folder, for as long as there is no mount. */
  driveDirectory: string;
  store: ObjectStore;
  /** Bytes that were read and are kept on this disk. */
  cacheBytesMax: number;
  /** The user that rclone runs as; FUSE lets only users mount that have a name. */
  user: string;
};

export class DriveMount implements Drive {
  readonly kind = "mount";
  readonly #options: MountOptions;
  readonly #server: DriveServer;
  readonly #point: string;
  /** The process that has the drive mounted now. */
  #rclone: ChildProcess | undefined;
  #starting: Promise<void> | undefined;
  #stopped = false;
  #uid = 0;
  #stderrTail = "";

  private constructor(options: MountOptions) {
    this.#options = options;
    this.#server = new DriveServer(options.store);
    this.#point = join(options.directory, "mount");
  }

  /** Mounts, lists, reads and binds once; rejects with why this machine can't. */
  static async start(options: MountOptions): Promise<DriveMount> {
    const mount = new DriveMount(options);
    try {
      if (!(await stat("/dev/fuse")).isCharacterDevice()) throw new Error("/dev/fuse is no device.");
      mount.#uid = Number((await run("id", ["--user", options.user])).stdout);
      if (!(mount.#uid > 0)) throw new Error("Root is not to mount it.");
      await mkdir(mount.#point, { mode: 0o700 });
      await chown(mount.#point, mount.#uid, mount.#uid);
      await mkdir(join(options.directory, "rclone"), { mode: 0o700 });
      await chown(join(options.directory, "rclone"), mount.#uid, mount.#uid);
      await mount.#server.listen();
      process.prependListener("exit", () => mount.#detach());
      await mount.#start();
      // A worker will mount its folder in the same way, into a mount namespace of its own.
      await run("unshare", ["--mount", "mount", "--bind", mount.#point, options.driveDirectory], { timeout: START_MS });
      return mount;
    } catch (error) {
      await mount.stop();
      throw error;
    }
  }

  async refresh(): Promise<string | null> {
    try {
      if (!this.#rclone) await this.#start();
      return null;
    } catch (error) {
      console.error(JSON.stringify({ event: "sandbox.drive_failed", cause: String(error) }));
      return NOT_MOUNTED;
    }
  }

  /** Without a mount an empty folder stands in, so that datasets that read no file of the drive can run. */
  place(): DriveFolder {
    const mounted = this.#rclone;
    const isCurrent = () => this.#rclone === mounted;
    const { driveDirectory: directory } = this.#options;
    const nothing = () => undefined;
    if (!mounted) return { directory, isCurrent, open: nothing, problem: () => NOT_MOUNTED, close: nothing };
    const { name, view } = this.#server.add();
    return {
      directory: join(this.#point, name),
      isCurrent,
      open: (reader: DriveReader) => view.open(reader),
      problem: () => view.problem(),
      close: () => this.#server.remove(name),
    };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#starting?.catch(() => undefined);
    const rclone = this.#rclone;
    if (rclone && rclone.exitCode === null && rclone.signalCode === null) {
      const left = new Promise((resolve) => rclone.once("exit", resolve));
      rclone.kill("SIGTERM");
      await Promise.race([left, delay(LEAVE_MS)]);
    }
    this.#detach();
    await this.#server.stop().catch(() => undefined);
  }

  #start(): Promise<void> {
    if (this.#stopped) return Promise.reject(new Error("The sandbox is being stopped."));
    return (this.#starting ??= this.#mount().finally(() => (this.#starting = undefined)));
  }

  async #mount(): Promise<void> {
    // A mount whose rclone is gone still occupies its mount point.
    this.#detach();
    this.#stderrTail = "";
    const rclone = spawn("setpriv", commandFor(this.#uid, this.#point, this.#options.cacheBytesMax), {
      cwd: "/",
      env: this.#environment(),
      stdio: ["ignore", "ignore", "pipe"],
    });
    rclone.stderr.on(
      "data",
      (chunk: Buffer) => void (this.#stderrTail = (this.#stderrTail + chunk.toString()).slice(-2_000)),
    );
    const ended = new Promise<void>((resolve) => rclone.once("exit", () => resolve()).once("error", () => resolve()));
    void ended.then(() => this.#lose(rclone));
    let isOver = false;
    void ended.then(() => (isOver = true));
    const until = performance.now() + START_MS;
    while (!isOver && performance.now() < until) {
      // It is mounted once the content of our check file can be read through the kernel.
      const read = await Promise.race([
        readFile(join(this.#point, CHECK_NAME), "utf8").catch(() => ""),
        ended,
        delay(START_MS),
      ]);
      if (read === this.#server.check && !isOver) return void (this.#rclone = rclone);
      await delay(30);
    }
    rclone.kill("SIGKILL");
    await ended;
    this.#detach();
    throw new Error(`rclone did not mount the drive. ${this.#stderrTail}`);
  }

  /** After rclone ended unexpectedly: the next workers get another mount. */
  #lose(rclone: ChildProcess): void {
    if (this.#rclone !== rclone) return;
    this.#rclone = undefined;
    if (this.#stopped) return;
    console.error(
      JSON.stringify({
        event: "sandbox.drive_lost",
        code: rclone.exitCode,
        signal: rclone.signalCode,
        said: this.#stderrTail,
      }),
    );
    this.#start().catch((error: unknown) =>
      console.error(JSON.stringify({ event: "sandbox.drive_failed", cause: String(error) })),
    );
  }

  /**
   * Takes the point back even where something still holds what was mounted. Waits: the folders around it are removed
   * next.
   */
  #detach(): void {
    this.#rclone?.kill("SIGKILL");
    spawnSync("umount", ["--lazy", this.#point], { stdio: "ignore", timeout: LEAVE_MS });
  }

  #environment(): Record<string, string> {
    return {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      HOME: "/nonexistent",
      RCLONE_CONFIG: "",
      RCLONE_CACHE_DIR: join(this.#options.directory, "rclone"),
      RCLONE_WEBDAV_URL: `http://127.0.0.1:${this.#server.port}`,
      RCLONE_WEBDAV_VENDOR: "other",
      // Not among the arguments, which everybody can read.
      RCLONE_WEBDAV_BEARER_TOKEN: this.#server.secret,
    };
  }
}

/** Another uid than any run's, so that none can reach it; it goes when we go. */
const commandFor = (uid: number, point: string, cacheBytesMax: number): string[] => [
  ...["--reuid", String(uid), "--regid", String(uid), "--clear-groups", "--pdeathsig", "TERM", "--"],
  ...["rclone", "mount", ":webdav:", point, "--read-only", "--allow-other", "--default-permissions", "--no-checksum"],
  ...Object.entries({ ...OPTIONS, "--uid": uid, "--gid": uid, "--vfs-cache-max-size": `${cacheBytesMax}B` })
    .flat()
    .map(String),
];

const OPTIONS = {
  "--umask": "0",
  "--dir-perms": "0555",
  "--file-perms": "0444",
  // Ranges that were read stay on the disk for a while: readers that jump about, as those of Parquet do, would else ask
  // for everything many times. It is looked after often, because a file that is open may be as large as it likes. It
  // can't be stale: a view never changes.
  "--vfs-cache-mode": "full",
  "--vfs-cache-poll-interval": "2s",
  "--vfs-cache-max-age": "5m",
  "--buffer-size": "0",
  "--vfs-read-ahead": "8M",
  "--vfs-read-chunk-size": "4M",
  "--vfs-read-chunk-size-limit": "64M",
  // Only the lists of views change, and they are updated at once.
  "--dir-cache-time": "5m",
  "--attr-timeout": "1m",
  "--poll-interval": "0",
  "--low-level-retries": "1",
  "--retries": "1",
  "--contimeout": "5s",
  "--timeout": "60s",
  "--stats": "0",
  "--log-level": "ERROR",
};
