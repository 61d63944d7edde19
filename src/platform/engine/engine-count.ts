// A team may have as many engines as the installation has for each, and no more than the team's plan allows.

import { ENGINE_COUNTS } from "../../../kernel/wire/engine-program.ts";
import { parseSettings } from "../../../kernel/wire/settings.ts";
import { boundsOf, type TeamPlan } from "../../core/teams/plans.ts";

type CountEnv = { ENGINES_PER_TEAM?: string };

/** Throws an Error for people where the setting is no number of engines. */
export const enginesPerTeam = ({ ENGINES_PER_TEAM }: CountEnv): number =>
  Number(parseSettings({ ENGINES_PER_TEAM: ENGINE_COUNTS }, { ENGINES_PER_TEAM }).ENGINES_PER_TEAM ?? 1);

export const enginesOf = (env: CountEnv, plan: TeamPlan): number =>
  Math.min(enginesPerTeam(env), boundsOf(plan).engines);
