// The launcher as a client of the platform it starts: nothing here that any caller with a key could not do.

const REQUEST_MS_MAX = 60_000;

export type Answer = { status: number; body: unknown };

type Call = { url: string; method: string; key?: string | undefined; body?: unknown; stop?: AbortSignal };

/** One JSON request, until `stop`. Throws an Error only when no answer comes. */
export async function call({ url, method, key, body, stop }: Call): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.any([AbortSignal.timeout(REQUEST_MS_MAX), ...(stop ? [stop] : [])]),
  });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    return { status: response.status, body: text };
  }
}

/** The answer's body, or an Error that says what was asked and what came back. */
export async function ask<T>(url: string, method: string, key?: string, body?: unknown): Promise<T> {
  const answer = await call({ url, method, key, body });
  if (answer.status >= 300)
    throw new Error(`${method} ${url} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as T;
}

/** Whether the server answers at all. */
export const isUp = (url: string, withinMs = 5_000): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(withinMs) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
