// The semantic models that evals are about: which one is meant, and which members it has.

import type { Fjord } from "../../../typescript/src/client.ts";
import { listIntegrations, type Integration } from "../commands/find-integration.ts";
import type { Eval, EvalFlaw } from "./eval.ts";
import { nearest } from "./nearest.ts";

export class Models {
  readonly #fjord: Fjord;
  readonly #cubes: readonly Integration[];
  readonly #members = new Map<string, Promise<string[]>>();

  private constructor(fjord: Fjord, cubes: readonly Integration[]) {
    this.#fjord = fjord;
    this.#cubes = cubes;
  }

  static async list(fjord: Fjord): Promise<Models> {
    return new Models(
      fjord,
      (await listIntegrations(fjord)).filter(({ type }) => type === "cube"),
    );
  }

  /** The id of the model that an eval means; or why none is meant. */
  find({ model }: Pick<Eval, "model">): { id: string } | { message: string } {
    const names = this.#cubes.map(({ name }) => name).join(", ");
    const found = this.#cubes.filter(
      ({ id, name }) => model === undefined || id === model || name.toLowerCase() === model.toLowerCase(),
    );
    if (found.length === 1) return { id: found[0]!.id };
    if (this.#cubes.length === 0) return { message: "The team has no semantic model." };
    if (model === undefined) return { message: `The team has several models: say model, one of ${names}.` };
    if (found.length > 1) return { message: `Several models are named ${model}: say its id.` };
    return { message: `No model is named ${model}. There are: ${names}.` };
  }

  /** Each expected member that its model does not have, with the nearest one that it has. */
  async check(each: Eval): Promise<EvalFlaw[]> {
    if (each.members === undefined && each.model === undefined) return [];
    const { place } = each;
    const found = this.find(each);
    if ("message" in found) return [{ place, message: found.message }];
    const known = await this.#membersOf(found.id);
    return (each.members ?? [])
      .filter((name) => !known.includes(name))
      .map((name) => ({ place, message: `The model has no member ${name}.${sayNearest(name, known)}` }));
  }

  #membersOf(id: string): Promise<string[]> {
    const members = this.#members.get(id) ?? this.#fetchMembers(id);
    this.#members.set(id, members);
    return members;
  }

  async #fetchMembers(id: string): Promise<string[]> {
    const params = { path: { integration_id: id } };
    const { data } = await this.#fjord.api.GET("/v1/api/integrations/{integration_id}/meta", { params });
    type Cube = Record<"measures" | "dimensions" | "segments", { name: string }[]>;
    return (data!.cubes as unknown as Cube[]).flatMap(({ measures, dimensions, segments }) =>
      [...measures, ...dimensions, ...segments].map(({ name }) => name),
    );
  }
}

function sayNearest(wanted: string, known: readonly string[]): string {
  const near = nearest(wanted, known);
  return near === undefined ? "" : ` The nearest is ${near}.`;
}
