// The programs a supervisor may start, by name. Nothing else is ever started, whatever a caller asks for.

import { fileURLToPath } from "node:url";
import { ENGINE_SETTINGS } from "../../kernel/wire/engine-program.ts";
import { SANDBOX_SETTINGS } from "../../kernel/wire/sandbox.ts";

export type Program = {
  /** Absolute path of the script Node runs. */
  main: string;
  /** The only environment a caller may hand to it. */
  environment: readonly string[];
  /**
   * Which of those holds the secret of this boot; with it the supervisor asks `GET /status` whether work is running.
   */
  secret: string;
};

const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const PROGRAMS: Readonly<Record<string, Program>> = {
  engine: {
    main: inRepository("containers/engine/main.ts"),
    environment: ["ENGINE_SECRET", "PLATFORM_URL", "S3_DIAL", "HOSTS_ALLOWED", ...Object.keys(ENGINE_SETTINGS)],
    secret: "ENGINE_SECRET",
  },
  sandbox: {
    main: inRepository("containers/sandbox/main.ts"),
    environment: [
      ...["SANDBOX_SECRET", "PLATFORM_URL", "S3_DIAL", "S3_ENDPOINT", "WEAK_JAIL_ALLOWED"],
      ...Object.keys(SANDBOX_SETTINGS),
    ],
    secret: "SANDBOX_SECRET",
  },
};
