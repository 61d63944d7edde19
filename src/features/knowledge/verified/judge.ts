// A verified query is shown to a caller, or is not, by the names in its text. In doubt it is not shown.

import type { Needs } from "../../../clients/context.ts";
import { foldText } from "../../../../kernel/text/fold-name.ts";
import { ifMissing } from "../../../core/problem.ts";
import { valueOf } from "../../../core/answer.ts";
import { openReader } from "../../../lake/lake.ts";
import { resolveAccess } from "../../access/resolve.ts";
import { seesEverything, visibleNames } from "../../glossary/links/visible-names.ts";
import { isBase } from "../../integrations/cube/base.ts";
import { getIntegration, getLake } from "../../integrations/get.ts";
import type { Integration } from "../../integrations/integration.ts";
import { listIntegrations } from "../../integrations/list.ts";
import type { Question } from "../../saved-queries/question.ts";
import {
  CATALOG,
  DEFAULT_SCHEMA,
  hiddenInLake,
  hiddenInSource,
  type HiddenNames,
} from "../../semantic/access/hidden-names.ts";
import { tablesInQuery } from "../../semantic/access/tables-in-query.ts";
import { defaultSchemaOf } from "../../semantic/visible-model.ts";
import { membersInQuery, readsOfQuery, scannable } from "./names-in-query.ts";

type Deps = Needs<"scope" | "db" | "openLake">;

/** `missing`: names that are not there, as far as the text shows. */
export type Verdict = { isShown: boolean; missing: string[] };

/** Judges queries for one caller; each integration is looked at once. */
export class QueryJudge {
  readonly #ctx: Deps;
  readonly #known = new Map<string, Promise<unknown>>();

  constructor(ctx: Deps) {
    this.#ctx = ctx;
  }

  async judge({ sql, cube_query: cube, integration_id: id, parameters }: Question): Promise<Verdict> {
    const [isAll, integration] = await Promise.all([
      this.#once("all", () => seesEverything(this.#ctx)),
      this.#once(`integration ${sql === undefined} ${id}`, () => this.#findIntegration(id, sql === undefined)),
    ]);
    const asked = Object.values(parameters).flatMap(({ allowed_sql: text }) => (text === undefined ? [] : [text]));
    const texts = [...(sql === undefined ? [] : [sql]), ...asked];
    const missing = [
      ...(cube === undefined ? [] : await this.#missingMembers(integration, cube)),
      ...(await this.#missingTables(integration, texts)),
    ];
    if (isAll) return { isShown: true, missing };
    return { isShown: missing.length === 0 && !(await this.#isHidden(integration, texts)), missing: [] };
  }

  /** Undefined where the query's integration is gone, or no single one is meant. */
  async #findIntegration(id: string | null, isCube: boolean): Promise<Integration | undefined> {
    if (id === null && isCube) {
      const models = await listIntegrations(this.#ctx, { type: "cube", limit: 2, offset: 0 });
      return models.length === 1 ? models[0] : undefined;
    }
    const asked = id === null ? getLake(this.#ctx) : getIntegration(this.#ctx, id);
    return asked.catch(ifMissing(undefined));
  }

  async #missingMembers(integration: Integration | undefined, query: Record<string, unknown>): Promise<string[]> {
    const names = (integration && (await this.#namesIn(integration))) ?? new Set<string>();
    const cubes = new Set([...names].map((name) => `${name.split(".")[0]}.*`));
    return [...membersInQuery(query)].filter((name) => !names.has(name) && !cubes.has(name));
  }

  /** Only a lake is asked for its tables: a connected database may be slow, or away. */
  async #missingTables(integration: Integration | undefined, texts: readonly string[]): Promise<string[]> {
    if (integration?.type !== "lake") return [];
    const named = texts
      .flatMap((text) => tablesInQuery(scannable(text) ?? "") ?? [])
      .filter((steps) => steps.length > 1);
    if (named.length === 0) return [];
    const names = new Set([...((await this.#namesIn(integration)) ?? [])].map(foldText));
    const isThere = (steps: readonly string[]) => spellings(steps.map(foldText)).some((name) => names.has(name));
    return [...new Set(named.filter((steps) => !isThere(steps)).map((steps) => steps.join(".")))];
  }

  async #isHidden(integration: Integration | undefined, texts: readonly string[]): Promise<boolean> {
    if (texts.length === 0) return false;
    if (!integration) return true;
    const isHidden = await this.#once(`hidden ${integration.id}`, () => this.#hiddenNames(integration));
    return texts.some((text) => {
      const reads = readsOfQuery(text);
      return reads === undefined || isHidden(reads);
    });
  }

  async #hiddenNames(integration: Integration): Promise<HiddenNames> {
    const access = await resolveAccess(this.#ctx, integration);
    if (access.kind === "all") return () => false;
    if (integration.type === "lake") {
      const lake = this.#ctx.openLake(integration.id);
      const { snapshotId, reader } = await openReader(lake, access);
      return hiddenInLake(valueOf(await lake.hiddenTables(snapshotId, reader)));
    }
    if (!isBase(integration)) return () => true;
    return hiddenInSource((await access.loadRoles()).roles, defaultSchemaOf(integration));
  }

  #namesIn = ({ id }: Integration): Promise<ReadonlySet<string> | undefined> =>
    this.#once(`names ${id}`, () => visibleNames(this.#ctx, id));

  #once<Value>(key: string, look: () => Promise<Value>): Promise<Value> {
    const known = (this.#known.get(key) as Promise<Value> | undefined) ?? look();
    this.#known.set(key, known);
    return known;
  }
}

/** The tables, as `schema.table`, that such steps may mean: `LAKE.t` is table t of the schema main. */
function spellings(steps: readonly string[]): string[] {
  const [first, ...rest] = steps;
  const own = steps.length === 2 ? [steps.join(".")] : [];
  if (first !== CATALOG) return own;
  return [...own, rest.length === 1 ? `${DEFAULT_SCHEMA}.${rest[0]}` : rest.join(".")];
}
