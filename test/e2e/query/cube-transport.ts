// What lets Cube's own client ask this product: a transport of its interface, over /v1/query and the model's routes.

import type { ITransport } from "@cubejs-client/core";
import { call } from "../client.ts";

type Body = Record<string, unknown>;
type Requested = { query?: unknown; baseRequestId?: string; signal?: AbortSignal };

/** Asks one integration of type cube. */
export class CubeTransport implements ITransport<Response> {
  authorization: string = "the platform's key goes with each request";
  readonly #integrationId: string;

  constructor(integrationId: string) {
    this.#integrationId = integrationId;
  }

  request(method: string, { query }: Requested): ReturnType<ITransport<Response>["request"]> {
    const send = async (): Promise<Response> => {
      const { status, body } = await this.#send(method, query);
      const answer = status === 200 ? asCubeAnswers(method, body) : { error: body["message"] };
      return Response.json(answer, { status });
    };
    return {
      subscribe: async (callback) => callback(await send(), () => Promise.reject(new Error("It is answered."))),
    };
  }

  requestStream(): never {
    throw new Error("Nothing is streamed here.");
  }

  #send(method: string, query: unknown): Promise<{ status: number; body: Body }> {
    const cube = `/v1/api/integrations/${this.#integrationId}`;
    if (method === "meta") return call("GET", `${cube}/meta`);
    if (method !== "load") throw new Error(`${method} is not asked for here.`);
    return call("POST", "/v1/query", { body: { cube_query: query, integration_id: this.#integrationId } });
  }
}

/** The client asks for a list of results, also where there is one. */
function asCubeAnswers(method: string, body: Body): Body {
  if (method !== "load" || body["queryType"] === "compareDateRangeQuery") return body;
  const queryType = "regularQuery";
  return { queryType, results: [body], pivotQuery: { ...(body["query"] as Body), queryType } };
}
