import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { HEALTH_LIMITS } from "../../../../src/features/liveness/limits.ts";
import { checkHealth } from "../../../../src/features/liveness/check-health.ts";
import { getHealth } from "../../../../src/features/liveness/get-health.ts";
import { call } from "../../../support/unit/http.ts";
import { openClients } from "../../../../src/clients/clients.ts";

vi.spyOn(console, "warn").mockImplementation(() => {});

const never = () => new Promise<never>(() => {});
const broken = () => Promise.reject(new Error("down"));
const withDb = (first: () => Promise<unknown>) => ({
  ...env,
  DB: { prepare: () => ({ first }) } as unknown as D1Database,
});

describe("GET /", () => {
  it("answers without a key, strings mapped to booleans", async () => {
    expect((await call("GET", "/")).body).toEqual({ api: true });
  });
});

describe("GET /health", () => {
  it("answers 200 without a key, strings mapped to booleans", async () => {
    const { status, body } = await call("GET", "/health");
    expect(status).toBe(200);
    expect(body).toMatchObject({ database: true, storage: true });
    expect(Object.values(body).every((value) => typeof value === "boolean")).toBe(true);
  });
});

describe("checkHealth", () => {
  it("says false for a part that fails, and still asks the others", async () => {
    expect(await checkHealth(openClients(withDb(broken)))).toMatchObject({ database: false, storage: true });
  });

  it("says false within its bound for a part that never answers", async () => {
    const bound = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(bound.signal);
    // The bound is over once the bucket has answered, however long that takes.
    const head = (key: string) => env.BUCKET.head(key).finally(() => setTimeout(() => bound.abort()));
    const checking = checkHealth(openClients({ ...withDb(never), BUCKET: { head } as unknown as R2Bucket }));
    expect(timeout.mock.calls).toEqual([[HEALTH_LIMITS.checkMs]]);
    timeout.mockRestore();
    expect(await checking).toMatchObject({ database: false, storage: true });
  });

  it.each(["http://127.0.0.1:1", "nonsense", ""])(
    "says false where the network carries no answer: %j",
    async (endpoint) => {
      expect((await checkHealth(openClients({ ...env, S3_ENDPOINT: endpoint }))).network).toBe(false);
    },
  );

  it("asks outside where an address is set for that, and the object store no more", async () => {
    const fetching = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response("", { status: 404 }));
    const clients = openClients({ ...env, HEALTH_URL: "https://outside.example.com/", S3_ENDPOINT: "" });
    expect((await checkHealth(clients)).network).toBe(true);
    expect(fetching.mock.calls.map(([url]) => url)).toEqual(["https://outside.example.com/"]);
    fetching.mockRestore();
  });

  it("takes any HTTP answer for a working network", async () => {
    const fetching = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response("denied", { status: 403 }));
    expect((await checkHealth(openClients(env))).network).toBe(true);
    fetching.mockRestore();
  });
});

describe("getHealth", () => {
  it("asks once for all callers of a while", async () => {
    let asked = 0;
    const bindings = withDb(async () => ++asked);
    const start = Date.now() + 10 * HEALTH_LIMITS.cacheMs;
    const at = (ms: number) => getHealth(openClients(bindings), new Date(start + ms), () => {});
    await Promise.all([at(0), at(1), at(2)]);
    await at(HEALTH_LIMITS.cacheMs - 1);
    expect(asked).toBe(1);
    await at(HEALTH_LIMITS.cacheMs + 1);
    expect(asked).toBe(2);
  });
});
