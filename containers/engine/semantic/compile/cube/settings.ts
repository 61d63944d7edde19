// Cube's compiler uses this of @cubejs-backend/shared, with Cube's settings as they are here: none comes from outside.

export * from "@cubejs-backend/shared/dist/src/enums.js";
export * from "@cubejs-backend/shared/dist/src/time.js";
export * from "@cubejs-backend/shared/dist/src/timezone.js";

/** Cube's defaults, except for the planner: Cube's newer one is a native module. */
const SETTINGS: Record<string, unknown> = {
  nativeSqlPlanner: false,
  refreshKeyLocalTime: false,
  cubeStoreRollingWindowJoin: true,
  mysqlUseNamedTimezones: false,
  mysqlUseGeneratedTimeSeries: true,
  nestedFoldersDelimiter: "",
};

export function getEnv(name: string): unknown {
  if (!(name in SETTINGS)) throw new Error(`Cube asks for the setting ${name}, which has no value here.`);
  return SETTINGS[name];
}
