// The one staging of an engine: opened with the first sync that runs, closed with the last, its memory shared by all of
// them.

import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { StagingDatabase } from "../../../extract/staging-database.ts";
import { ownFolder } from "../../../../program/leftovers.ts";

type Opened = { staging: Promise<StagingDatabase>; users: number };

export class SharedStaging {
  #opened: Opened | undefined;

  /** `work` may begin before the staging is open. */
  async use<T>(work: (staging: Promise<StagingDatabase>) => Promise<T>): Promise<T> {
    const opened = (this.#opened ??= { staging: openStaging(), users: 0 });
    opened.users++;
    opened.staging.catch(() => undefined);
    try {
      return await work(opened.staging);
    } catch (error) {
      if (isBroken(error)) this.#forget(opened);
      throw error;
    } finally {
      if (--opened.users === 0) {
        this.#forget(opened);
        await opened.staging.then(
          (staging) => staging.close(),
          () => undefined,
        );
      }
    }
  }

  /** Forgets a staging, so that the next sync opens another. */
  #forget(opened: Opened): void {
    if (this.#opened === opened) this.#opened = undefined;
  }
}

async function openStaging(): Promise<StagingDatabase> {
  const directory = ownFolder(tmpdir(), "sync");
  await mkdir(directory, { recursive: true });
  return StagingDatabase.open({ directory });
}

/** A DuckDB that met a fatal error answers nothing any more. */
const isBroken = (error: unknown): boolean =>
  /FATAL Error|database has been invalidated/.test(
    `${(error as Error | undefined)?.message} ${((error as Error | undefined)?.cause as Error | undefined)?.message}`,
  );
