// The datasets of a doc's definition, as the console shows them. Pure.

export type ShownDefinition = { key: string; engine: string; needs: string[]; table: string | undefined };

type Definition = { datasets?: Record<string, Record<string, unknown>> };

export const datasetsOf = (definition: Readonly<Record<string, unknown>>): ShownDefinition[] =>
  Object.entries((definition as Definition).datasets ?? {}).map(([key, dataset]) => {
    const { engine, dependsOn, inputs, materialize } = dataset;
    const named = (Array.isArray(inputs) ? inputs : []).map((input) => (input as { ref?: unknown }).ref);
    const needs = [...(Array.isArray(dependsOn) ? dependsOn : []), ...named].filter((need) => typeof need === "string");
    const table = (materialize as { table?: unknown } | undefined)?.table;
    return {
      key,
      engine: typeof engine === "string" ? engine : "",
      needs: [...new Set(needs)],
      table: typeof table === "string" ? table : undefined,
    };
  });
