// The platform's API, asked with somebody's key.

export type Api = { baseUrl: string; key: string };

/** The body of an answer, undefined where there is none. Throws where the platform refuses. */
// biome-ignore lint/suspicious/noExplicitAny: each answer has a shape of its own.
export async function ask({ baseUrl, key }: Api, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
