// Links into the workspace: what one screen writes into a fragment is what the workspace reads.

import { beforeAll, expect, it, vi } from "vitest";
import { queryHref, readLinked, shareLink } from "../../../../src/console/api/query-link.ts";

beforeAll(() => vi.stubGlobal("location", { origin: "https://fjord.test" }));

const fragmentOf = (address: string): string => new URL(address, "https://fjord.test").hash;

it("reads a tab that was shared, and a text that another screen links", () => {
  const text = "SELECT 'größe % # ?' AS one\nFROM LAKE.\"a b\".t WHERE x = $x";
  const tab = { title: "Sizes", text, integrationId: "i", values: { x: { type: "auto" as const, text: "5" } } };
  expect(readLinked(fragmentOf(shareLink(tab)))).toEqual(tab);
  expect(readLinked(fragmentOf(queryHref({ text })))).toEqual({ title: "", text, integrationId: null, values: {} });
});

it.each(["", "#", "#q=", "#q=%%", "#q=e30", "#token=x"])("takes %j for no query", (fragment) => {
  expect(readLinked(fragment)).toBeUndefined();
});
