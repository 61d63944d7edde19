// The environment may change these settings of `npm start`.

import { join, resolve } from "node:path";
import { ENGINE_COUNTS, ENGINE_SETTINGS } from "../../kernel/wire/engine-program.ts";
import { parseSettings } from "../../kernel/wire/settings.ts";
import { SANDBOX_SETTINGS } from "../../kernel/wire/sandbox.ts";
import { root } from "../process/group.ts";

export type Settings = {
  port: number;
  /** Where the platform answers. */
  url: string;
  /** Holds databases, objects, secrets and logs: everything that must survive a restart, in one folder. */
  state: string;
  /** Real containers instead of processes; wants a Docker engine. */
  containers: boolean;
  /** Variables of the Worker that the environment sets: each `FJORD_VAR_<name>`. */
  variables: Record<string, string>;
};

const VARIABLE = "FJORD_VAR_";

/** Throws an Error that says what is wrong with which variable. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const port = Number(env.FJORD_PORT ?? 8787);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`FJORD_PORT is "${env.FJORD_PORT}", which is no port number.`);
  const containers = env.FJORD_CONTAINERS ?? "processes";
  if (containers !== "processes" && containers !== "docker")
    throw new Error(`FJORD_CONTAINERS is "${containers}"; it may be "processes" or "docker".`);
  const variables = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith(VARIABLE) && value !== undefined ? [[name.slice(VARIABLE.length), value]] : [],
    ),
  );
  checkProgramSettings(variables);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    state: resolve(root, env.FJORD_STATE ?? join(root, ".fjord")),
    containers: containers === "docker",
    variables,
  };
}

/** What the programs would refuse when they start, somebody is there to read now. */
function checkProgramSettings(variables: Record<string, string>): void {
  const kinds = { ...ENGINE_SETTINGS, ...SANDBOX_SETTINGS, ENGINES_PER_TEAM: ENGINE_COUNTS };
  const unknown = Object.keys(variables).find((name) => /^(ENGINE|SANDBOX)_/.test(name) && !Object.hasOwn(kinds, name));
  if (unknown !== undefined) {
    throw new Error(`There is no setting ${unknown}. There are ${Object.keys(kinds).join(", ")}.`);
  }
  parseSettings(kinds, variables);
}
