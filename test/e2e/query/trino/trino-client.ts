// A client of Trino's protocol for tests: it follows a statement through its pages.

import { expect, inject } from "vitest";
import { send } from "../../client.ts";

export type Column = { name: string; type: string; typeSignature: { rawType: string; arguments: unknown[] } };
export type Page = {
  id: string;
  nextUri?: string;
  columns?: Column[];
  data?: unknown[][];
  updateType?: string;
  updateCount?: number;
  warnings?: { message: string }[];
  error?: {
    message: string;
    errorName: string;
    errorType: string;
    errorLocation?: { lineNumber: number; columnNumber: number };
  };
  stats: { state: string };
};

const platform = inject("platform");
export const basic = (user: string, key: string = platform.key): string => `Basic ${btoa(`${user}:${key}`)}`;
const CLIENT = { "X-Trino-User": "ada", "X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME" };

export async function begin(
  sql: string,
  headers: Record<string, string> = {},
): Promise<{ page: Page; headers: Headers }> {
  const response = await send("POST", "/v1/statement", {
    body: sql,
    headers: { authorization: basic("ada"), "content-type": "text/plain; charset=utf-8", ...CLIENT, ...headers },
  });
  expect(response.status).toBe(200);
  return { page: (await response.json()) as Page, headers: response.headers };
}

export const follow = async (uri: string, authorization = basic("ada")): Promise<Response> =>
  fetch(uri, { headers: { authorization } });

/** All pages of a statement: the columns, the rows, and how it ended. */
export async function run(sql: string, headers: Record<string, string> = {}): Promise<Page & { pages: string[] }> {
  let { page } = await begin(sql, headers);
  const rows = [...(page.data ?? [])];
  const pages: string[] = [];
  let { columns } = page;
  while (page.nextUri !== undefined) {
    pages.push(page.nextUri);
    page = (await (await follow(page.nextUri, headers["authorization"])).json()) as Page;
    rows.push(...(page.data ?? []));
    columns ??= page.columns;
  }
  return { ...page, data: rows, pages, ...(columns && { columns }) };
}

export const valuesOf = async (sql: string, headers?: Record<string, string>): Promise<unknown[][]> => {
  const { error, data } = await run(sql, headers);
  expect(error).toBeUndefined();
  return data!;
};
