// What an installation may set about a container's program: variables by name, each of a kind that is checked before
// anything starts.

/** `whole`: a number from 0 on. `positive`: from 1 on. `text`: anything. A list: one of its words. */
export type SettingKind = "whole" | "positive" | "text" | readonly string[];
export type SettingKinds = Readonly<Record<string, SettingKind>>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Throws an Error for people that names every variable set to what it can't be. One that is empty is not set. */
export function checkSettings(kinds: SettingKinds, environment: Environment): void {
  const flaws = Object.entries(kinds).flatMap(([name, kind]) => {
    const value = environment[name] ?? "";
    return value === "" || isOfKind(kind, value)
      ? []
      : [`${name} is ${JSON.stringify(value)}; it has to be ${describe(kind)}.`];
  });
  if (flaws.length > 0) throw new Error(flaws.join(" "));
}

/** A number that was checked; `otherwise` where it is not set. */
export const numberIn = (environment: Environment, name: string, otherwise: number): number =>
  Number(environment[name] || otherwise);

function isOfKind(kind: SettingKind, value: string): boolean {
  if (kind === "text") return true;
  if (typeof kind !== "string") return kind.includes(value);
  return /^\d{1,15}$/.test(value) && Number(value) >= (kind === "positive" ? 1 : 0);
}

function describe(kind: SettingKind): string {
  if (typeof kind !== "string") return `one of ${kind.map((word) => JSON.stringify(word)).join(", ")}`;
  return kind === "positive" ? "a whole number from 1 on" : "a whole number";
}
