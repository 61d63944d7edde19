import { expect, inject, it } from "vitest";
import { within } from "../../scripts/process/group.ts";
import { ENGINE_PROGRAM, isRunning, listFamily, survivorsOf } from "../support/node/programs/processes.ts";
import { call, rowsOf, send } from "./client.ts";

it("holds a sample of about a million rows in four tables that join", async () => {
  const counts =
    await rowsOf(`SELECT (SELECT count(*) FROM LAKE.sample.customers) + (SELECT count(*) FROM LAKE.sample.products)
    + (SELECT count(*) FROM LAKE.sample.orders) + (SELECT count(*) FROM LAKE.sample.order_items) AS n`);
  expect(counts[0]!.n).toBeGreaterThan(700_000);
  const joined =
    await rowsOf(`SELECT count(*) AS n FROM LAKE.sample.order_items JOIN LAKE.sample.orders USING (order_id)
    JOIN LAKE.sample.customers USING (customer_id) JOIN LAKE.sample.products USING (product_id)`);
  expect(joined).toEqual(await rowsOf("SELECT count(*) AS n FROM LAKE.sample.order_items"));
});

it("lists the lake in information_schema under the name LAKE", async () => {
  const tables = await rowsOf(
    "SELECT table_name FROM information_schema.tables WHERE table_catalog = 'LAKE' AND table_schema = 'sample' ORDER BY 1",
  );
  expect(tables.map((row) => row.table_name)).toEqual(["customers", "order_items", "orders", "products"]);
});

it("answers the next query after its engine was killed", async () => {
  const count = "SELECT count(*) AS n FROM LAKE.sample.orders";
  const before = await rowsOf(count);
  const engines = (await listFamily(inject("platform").pid)).filter(isRunning(ENGINE_PROGRAM));
  expect(engines.length).toBeGreaterThan(0);
  for (const { pid } of engines) process.kill(pid, "SIGKILL");
  expect(await within(60_000, async () => (await survivorsOf(engines)).length === 0)).toBe(true);
  expect(await rowsOf(count)).toEqual(before);
});

it("serves its OpenAPI document and a page to browse it, without reaching outside", async () => {
  const document = await call("GET", "/openapi.json");
  expect(document.body).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { version: "0.1.0" } });
  const page = await send("GET", "/docs/");
  const html = await page.text();
  expect(page.status).toBe(200);
  expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
  for (const [, path] of html.matchAll(/(?:src|href)="([^"#]+)"/g)) {
    expect((await send("GET", new URL(path!, `${inject("platform").baseUrl}/docs/`).pathname)).status, path).toBe(200);
  }
});

it("says that it lives, to anybody", async () => {
  const { baseUrl } = inject("platform");
  expect((await fetch(`${baseUrl}/`)).status).toBe(200);
  const health = await fetch(`${baseUrl}/health`);
  expect(health.status).toBe(200);
  expect(await health.text()).toMatch(/true/);
});
