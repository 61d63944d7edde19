// Cube's bindings to React, as they are: hooks of a page that has a URL and a key.

import cube from "@cubejs-client/core";
import { CubeProvider, useCubeMeta, useCubeQuery, useCubeSql, useDryRun } from "@cubejs-client/react";
import { createElement, type FunctionComponent } from "react";
import { create } from "react-test-renderer";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { openCubeShop } from "./cube-shop.ts";

const QUERY = { measures: ["orders.count"], dimensions: ["orders.city"], order: { "orders.city": "asc" as const } };

let shop: { apiUrl: string; key: string };
beforeAll(async () => void (shop = await openCubeShop("cube_react")));

type State = { isLoading: boolean; error?: Error | null; response?: unknown; resultSet?: unknown };

/** Before its first effect a hook is not loading either. */
const hasEnded = ({ isLoading, error, response, resultSet }: State): boolean =>
  !isLoading && (error ?? response ?? resultSet ?? null) !== null;

/** Renders a component that does nothing but use the hook, and answers its state once it has an answer or a failure. */
async function stateOf<Hooked extends State>(useHook: () => Hooked): Promise<Hooked> {
  let state: Hooked | undefined;
  const Page: FunctionComponent = () => {
    state = useHook();
    return null;
  };
  const cubeApi = cube(shop.key, { apiUrl: shop.apiUrl });
  const page = create(createElement(CubeProvider, { cubeApi, children: createElement(Page) }));
  onTestFinished(() => page.unmount());
  await expect.poll(() => state !== undefined && hasEnded(state), { timeout: 60_000 }).toBe(true);
  return state!;
}

it("useCubeQuery loads rows", async () => {
  const { error, resultSet } = await stateOf(() => useCubeQuery(QUERY));
  expect(error).toBeNull();
  expect(resultSet!.tablePivot()).toEqual([
    { "orders.city": "Bergen", "orders.count": "2" },
    { "orders.city": "Oslo", "orders.count": "2" },
    { "orders.city": null, "orders.count": "1" },
  ]);
});

it("useCubeQuery shows why a query can't be answered", async () => {
  const { error, resultSet } = await stateOf(() => useCubeQuery({ measures: ["orders.none"] }));
  expect([error?.message, resultSet]).toEqual([
    "'none' not found for path 'orders.none'. orders has orders.count, orders.paid.",
    null,
  ]);
});

it("useCubeQuery subscribes", async () => {
  const { error, resultSet } = await stateOf(() => useCubeQuery(QUERY, { subscribe: true }));
  expect([error, resultSet?.rawData().length]).toEqual([null, 3]);
});

it("useCubeMeta lists what there is", async () => {
  const { error, response } = await stateOf(() => useCubeMeta());
  expect([error, response?.cubes.map(({ name }) => name)]).toEqual([null, ["orders", "line_items"]]);
});

it("useDryRun says what a query means", async () => {
  const { error, response } = await stateOf(() => useDryRun(QUERY));
  expect([error, response?.queryOrder]).toEqual([null, [{ "orders.city": "asc" }]]);
});

it("useCubeSql shows the SQL of a query", async () => {
  const { error, response } = await stateOf(() => useCubeSql(QUERY));
  expect(error).toBeNull();
  expect((response as unknown as { sql(): string }).sql()).toMatch(/SELECT/i);
});
