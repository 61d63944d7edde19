// docs, models, queries, syncs, roles: pull, push and diff between a folder and the platform.

import type { Command } from "commander";
import { connect, type AddCommands, type Context } from "../context.ts";
import { docs } from "../definitions/docs.ts";
import { digestOf, readFolder, writeFiles, writeState, type Folder } from "../definitions/folder.ts";
import { integrationNames } from "../definitions/integration-names.ts";
import type { DefinitionKind, Team } from "../definitions/kind.ts";
import { models } from "../definitions/models.ts";
import { areEqual, filesAt, planPull, planPush } from "../definitions/plan.ts";
import type { Known, Local, PullStep, PushStep } from "../definitions/plan.ts";
import { printDifferences, printPlan } from "../definitions/print-plan.ts";
import { queries } from "../definitions/queries.ts";
import { roles } from "../definitions/roles.ts";
import { syncs } from "../definitions/syncs.ts";
import { ConflictError, EXIT, UsageError } from "../exit-codes.ts";
import { say } from "../output/terminal.ts";
import { ask, isInteractive } from "../settings/prompt.ts";
import { listIntegrations } from "./find-integration.ts";

type Flags = { yes?: boolean };
type Place = Readonly<{ context: Context; kind: DefinitionKind; folder: string }>;

const KINDS: Readonly<Record<string, readonly [kind: DefinitionKind, description: string]>> = {
  docs: [docs, "docs, a file each"],
  models: [models, "semantic models, a folder for each cube integration"],
  queries: [queries, "saved queries, a file each"],
  syncs: [syncs, "syncs, a file each"],
  roles: [roles, "data-access roles, a file each"],
};

export const addDefinitionCommands: AddCommands = (program, contextOf) => {
  for (const [name, [kind, description]] of Object.entries(KINDS)) {
    const group = program.command(name).description(description);
    const place = (command: Command, folder = name): Place => ({ context: contextOf(command), kind, folder });
    group
      .command("pull")
      .description("write what the platform has to a folder")
      .argument("[folder]", `./${name} without`)
      .option("-y, --yes", "overwrite what was edited here, too")
      .action((folder: string | undefined, flags: Flags, command: Command) => pull(place(command, folder), flags));
    group
      .command("push")
      .description("make and change what the folder has; nothing is deleted")
      .argument("[folder]", `./${name} without`)
      .option("-y, --yes", "apply the plan without being asked")
      .action((folder: string | undefined, flags: Flags, command: Command) => push(place(command, folder), flags));
    group
      .command("diff")
      .description("show what a push would change; ends with 1 where that is something")
      .argument("[folder]", `./${name} without`)
      .action((folder: string | undefined, _flags: object, command: Command) => diff(place(command, folder)));
  }
};

type World = Readonly<{
  team: Team;
  teamId: string;
  integrations: Record<string, string>;
  folder: Folder;
  known: Known;
}>;

async function look({ context, kind, folder }: Place, mayBeNew = false): Promise<World> {
  const fjord = await connect(context);
  const [read, integrations, { data: me }] = await Promise.all([
    readFolder(folder, kind, mayBeNew),
    listIntegrations(fjord),
    fjord.api.GET("/v4/me"),
  ]);
  const teamId = me!.data.team.id;
  const names = integrationNames(integrations, read.state?.integrations ?? {});
  return {
    team: { fjord, names },
    teamId,
    integrations: Object.fromEntries(integrations.map(({ id, name }) => [id, name])),
    folder: read,
    known: read.state?.team === teamId ? read.state.known : {},
  };
}

async function planOfPush({ kind }: Place, { team, folder, known }: World): Promise<PushStep[]> {
  const locals = [...folder.definitions].map(([path, files]): Local => {
    const normal = kind.normalise(team, files);
    return { path, name: kind.nameOf(files), files, normal };
  });
  const steps = planPush(locals, await kind.list(team), known);
  refuseTwins(steps);
  return steps;
}

/** Two files for one definition would overwrite each other at every push. */
function refuseTwins(steps: readonly PushStep[]): void {
  const first = new Map<string, string>();
  for (const step of steps) {
    if (step.action === "leave") continue;
    const { path, name } = step.local;
    const key = "remote" in step ? `id ${step.remote.id}` : `name ${name}`;
    const before = first.get(key);
    if (before !== undefined)
      throw new UsageError(`${before} and ${path} are both ${name}: one definition has one file.`);
    first.set(key, path);
  }
}

async function diff(place: Place): Promise<void> {
  const steps = await planOfPush(place, await look(place));
  await printDifferences(place.context, steps);
  if (steps.some(({ action }) => action !== "unchanged" && action !== "leave")) process.exitCode = EXIT.failed;
}

async function push(place: Place, flags: Flags): Promise<void> {
  const world = await look(place);
  const steps = await planOfPush(place, world);
  await printPlan(
    place.context,
    steps.map(({ action, ...step }) => [action, "local" in step ? step.local.path : step.remote.name]),
  );
  if (steps.some(({ action }) => action === "conflict"))
    throw new ConflictError(
      "What you pulled has been changed there since: pull it, or compare by diff. Nothing was pushed.",
    );
  const changes = steps.filter(({ action }) => action === "create" || action === "update");
  if (changes.length > 0) await confirm(place.context, flags);
  const known: Record<string, Known[string]> = { ...world.known };
  try {
    for (const step of steps) {
      if (step.action === "leave" || step.action === "conflict") continue;
      const { id, version } = await apply(place.kind, world.team, step);
      known[step.local.path] = { id, version, digest: digestOf(step.local.files) };
    }
  } finally {
    // What was pushed before a failure is known, too.
    const integrations = { ...world.folder.state?.integrations, ...world.integrations };
    await writeState(place.folder, { team: world.teamId, integrations, known });
  }
  if (changes.length > 0) say(`Pushed ${changes.length}.`);
}

function apply(kind: DefinitionKind, team: Team, step: Exclude<PushStep, { action: "leave" }>) {
  if (step.action === "create") return kind.create(team, step.local.normal);
  if (step.action === "update") return kind.update(team, step.remote, step.local.normal);
  return step.remote;
}

async function pull(place: Place, flags: Flags): Promise<void> {
  const world = await look(place, true);
  const { definitions } = world.folder;
  const remotes = await place.kind.list(world.team);
  const steps = planPull(remotes, world.known, {
    paths: [...definitions.keys()],
    digestOf: (path) => (definitions.has(path) ? digestOf(definitions.get(path)!) : undefined),
    isSame: (path, remote) => areEqual(definitions.get(path)!, remote.files),
  });
  await printPlan(
    place.context,
    steps.map(({ action, path }) => [action, path]),
  );
  if (steps.some(({ action }) => action === "conflict") && !flags.yes)
    throw new ConflictError("What is marked as a conflict was edited here: --yes overwrites it. Nothing was pulled.");
  const known: Record<string, Known[string]> = {};
  for (const step of steps) if (step.action !== "leave") known[step.path] = await writeStep(place.folder, step);
  await writeState(place.folder, { team: world.teamId, integrations: world.integrations, known });
}

async function writeStep(folder: string, { action, path, remote }: Exclude<PullStep, { action: "leave" }>) {
  const files = filesAt(path, remote);
  if (action !== "unchanged") await writeFiles(folder, files);
  return { id: remote.id, version: remote.version, digest: digestOf(files) };
}

async function confirm({ signal }: Context, { yes }: Flags): Promise<void> {
  if (yes) return;
  if (!isInteractive()) throw new UsageError("Nobody can be asked here: --yes applies the plan.");
  const answer = await ask("Apply this? [y/N] ", signal);
  if (!/^y(es)?$/i.test(answer)) throw new UsageError("Nothing was changed.");
}
