// An installation's settings of a container's program are variables by name, each of a kind that is checked before
// anything starts.

/** `whole`: a number from 0 on. `positive`: from 1 on. `text`: anything. A list: one of its words. */
export type SettingKind = "whole" | "positive" | "text" | readonly string[];
export type SettingKinds = Readonly<Record<string, SettingKind>>;
export type Environment = Readonly<Record<string, string | undefined>>;

type ValueOf<Kind extends SettingKind> = Kind extends readonly (infer Word)[]
  ? Word
  : Kind extends "text"
    ? string
    : number;
/** Values by name; undefined where a variable is not set. */
export type SettingsOf<Kinds extends SettingKinds> = {
  readonly [Name in keyof Kinds]: ValueOf<Kinds[Name]> | undefined;
};

/** Throws an Error for people that names every variable set to what it can't be. One that is empty is not set. */
export function parseSettings<const Kinds extends SettingKinds>(
  kinds: Kinds,
  environment: Environment,
): SettingsOf<Kinds> {
  const isSet = (name: string): boolean => (environment[name] ?? "") !== "";
  const flaws = Object.entries(kinds)
    .filter(([name, kind]) => isSet(name) && !isOfKind(kind, environment[name]!))
    .map(([name, kind]) => `${name} is ${JSON.stringify(environment[name])}; it has to be ${describe(kind)}.`);
  if (flaws.length > 0) throw new Error(flaws.join(" "));
  const values = Object.entries(kinds).map(([name, kind]) => {
    if (!isSet(name)) return [name, undefined];
    return [name, kind === "whole" || kind === "positive" ? Number(environment[name]) : environment[name]];
  });
  return Object.fromEntries(values) as SettingsOf<Kinds>;
}

function isOfKind(kind: SettingKind, value: string): boolean {
  if (kind === "text") return true;
  if (typeof kind !== "string") return kind.includes(value);
  return /^\d{1,15}$/.test(value) && Number(value) >= (kind === "positive" ? 1 : 0);
}

function describe(kind: SettingKind): string {
  if (typeof kind !== "string") return `one of ${kind.map((word) => JSON.stringify(word)).join(", ")}`;
  return kind === "positive" ? "a whole number from 1 on" : "a whole number";
}

/** The variables that both programs are started with, beside their settings. */
export type ProgramEnvironment = { secret: string; platformUrl: string; s3Dial: string; port: number; host: string };

/**
 * Takes the secret out of the environment, which whatever the program starts inherits or can look at. Throws an Error
 * for people where it is missing, or the port is none.
 */
export function takeProgramEnvironment(
  environment: Record<string, string | undefined>,
  secretName: string,
  portDefault: number,
): ProgramEnvironment {
  const { PLATFORM_URL: platformUrl = "", S3_DIAL: s3Dial = "", HOST: host = "0.0.0.0" } = environment;
  const secret = environment[secretName] ?? "";
  if (secret === "") throw new Error(`${secretName} is not set.`);
  delete environment[secretName];
  const { PORT: port = portDefault } = parseSettings({ PORT: "whole" }, environment);
  return { secret, platformUrl, s3Dial, port, host };
}
