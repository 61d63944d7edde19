// The picture of a table's lineage: layers from what it is made of to what is made of it.

import { expect, it } from "vitest";
import { graphAround, type Lineage } from "../../../../src/console/screens/catalog/lineage/graph.ts";

const built = (name: string, ...sources: string[]) =>
  ({
    schema: "s",
    name,
    dataset_key: name,
    sources: sources.map((source) => ({ schema: "s", name: source })),
  }) as Lineage;
const layersOf = (name: string, lineage: Lineage[]) =>
  Object.fromEntries(graphAround({ schema: "s", name }, lineage).nodes.map((node) => [node.name, node.layer]));

it("puts sources to the left and uses to the right, however far they are", () => {
  const lineage = [built("b", "a"), built("c", "b"), built("d", "c"), built("other", "elsewhere")];
  expect(layersOf("c", lineage)).toEqual({ a: 0, b: 1, c: 2, d: 3 });
});

it("ends where tables are made of each other", () => {
  const graph = graphAround({ schema: "s", name: "a" }, [built("a", "b"), built("b", "a")]);
  expect(graph.nodes).toHaveLength(2);
});

it("draws a table alone that nothing builds and nothing reads", () => {
  expect(graphAround({ schema: "s", name: "a" }, [])).toMatchObject({ layers: 1, rows: 1, edges: [] });
});
