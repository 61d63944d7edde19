// The lake's object store, as the engine meets it: what goes wrong there as the engine's own failures.

import { ObjectStore } from "../../program/object-store.ts";
import { diskFull, Failure, isDiskFull } from "../core/failure.ts";

/**
 * `dial`: `host:port` to connect to instead of a URL's own, or empty. Rejects with `platform_unavailable` or
 * `disk_full`.
 */
export const openObjectStore = (dial: string): ObjectStore =>
  new ObjectStore(dial, ({ message, cause }) =>
    isDiskFull(cause) ? diskFull(cause) : new Failure("platform_unavailable", message, { cause }),
  );
