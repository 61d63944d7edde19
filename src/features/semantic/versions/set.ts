import { invalidAt } from "../../../core/problem.ts";
import { getCubeIntegration, type CubeIntegration } from "../cube-integration.ts";
import { findModelVersion, findNewestVersion } from "../store.ts";
import type { ModelFile, NewModel } from "./model-version.ts";
import { saveModel, type SavedModel, type SaveDeps } from "./save.ts";

type Setting = {
  integrationId: string;
  /** The one file that is put in place, while the others stay; undefined: the input is the whole model. */
  path: string | undefined;
  input: NewModel;
  /** The version that the request's `If-Match` names; another one is `precondition_failed`. */
  ifMatch: number | undefined;
};

/** Puts other files in the model's place, as its next version. Queries under way go on with what they began with. */
export async function setSemanticModel(ctx: SaveDeps, setting: Setting): Promise<SavedModel> {
  const { integrationId, path, input, ifMatch } = setting;
  const cube = await getCubeIntegration(ctx, integrationId);
  const { files, expected } = path === undefined ? whole(input) : await withOthers(ctx, cube, path, input);
  const { message } = input;
  return saveModel(ctx, cube, { action: "semantic_model.set", files, message, expected, ifMatch, restoredFrom: null });
}

type Put = { files: readonly ModelFile[]; expected: number | undefined };

const whole = ({ files, expected_version: expected }: NewModel): Put => ({ files, expected });

/** The file among those of the newest version, which has to be the newest still when it is saved. */
async function withOthers(
  { scope, db }: SaveDeps,
  { integration }: CubeIntegration,
  path: string,
  { files, expected_version: expected }: NewModel,
): Promise<Put> {
  const message = `\`files\` has the file ${path} alone where the query names it.`;
  if (files.length !== 1 || files[0]!.path !== path) throw invalidAt("/files", message);
  const name = { teamId: scope.teamId, integrationId: integration.id };
  const newest = await findNewestVersion(db, name);
  const before = newest && (await findModelVersion(db, name, newest.version));
  const others = (before?.files ?? []).filter((file) => file.path !== path);
  return { files: [...others, ...files], expected: expected ?? newest?.version ?? 0 };
}
