// The SDK's session: its login, its tokens and their renewal. Statements are sent through it; results are read by the
// engine itself (statement.ts, ../rows/), since the SDK
// - turns VARIANT values that are not JSON into JavaScript and runs it (`new Function`);
// - gives NULL as the text "NULL" where texts are asked for, cuts times to milliseconds and large numbers to doubles;
// - waits for ever for a chunk that was cut short, and takes one that repeats another;
// - sends PUT and GET statements' files from this machine's disk;
// - follows `getResultUrl` to any host, reads logging settings from the home directory and sends statistics.
//
// Its core is imported rather than its entry, since the core takes the HTTP client and the logger from us.

import { createRequire } from "node:module";
import type { CheckedCredentials } from "./account.ts";
import type { HttpRequester } from "./sdk-http.ts";

/** The SDK's `SnowflakeService`, as far as it is used. */
export type SdkService = {
  connect(options: { callback(error: unknown): void }): void;
  request(options: SdkRequest): void;
  destroy(options: { callback(error: unknown): void }): void;
};

/** `params` becomes a part of the address; the SDK passes the very object on, also when it asks again. */
export type SdkRequest = {
  method: "GET" | "POST";
  url: string;
  headers?: Record<string, string>;
  json?: object;
  params: object;
  callback(error: unknown, body: unknown): void;
};

type Core = (options: object) => { createConnection(options: object): { service: SdkService } };
type Context = { getServices(): { sf: SdkService } };

/** Stands where the SDK's `Connection` would: it keeps the service, and adds nothing. */
class SdkConnection {
  readonly service: SdkService;

  constructor(context: Context) {
    this.service = context.getServices().sf;
  }

  /** For its log. */
  getId(): string {
    return "";
  }
}

/** The SDK writes to a file and to the console otherwise. */
class SilentLogger {
  configure(): void {}
  error(): void {}
  warn(): void {}
  info(): void {}
  debug(): void {}
  trace(): void {}
}

/**
 * The SDK looks at these as it is loaded: it would ask the cloud's metadata service and AWS who this machine is, load a
 * native library, send statistics, take a token from this machine's disk, and make a directory in the home for answers
 * of certificate responders: where nothing can be made it goes on without.
 */
const ENVIRONMENT: Record<string, string | undefined> = {
  SNOWFLAKE_DISABLE_PLATFORM_DETECTION: "true",
  SNOWFLAKE_DISABLE_MINICORE: "true",
  SF_TELEMETRY_DISABLE_CONNECTION_SHAPE: "true",
  SNOWFLAKE_RUNNING_INSIDE_SPCS: undefined,
  SF_OCSP_RESPONSE_CACHE_DIR: "/dev/null/none",
};

let loaded: { core: Core; version: string } | undefined;

function load(): { core: Core; version: string } {
  if (loaded) return loaded;
  for (const [name, value] of Object.entries(ENVIRONMENT))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  const require = createRequire(import.meta.url);
  const { version } = require("snowflake-sdk/package.json") as { version: string };
  loaded = { core: require("snowflake-sdk/dist/lib/core.js") as Core, version };
  return loaded;
}

export type SdkSettings = CheckedCredentials & { origin: string };

/** A session that is not logged in yet, whose every request goes through `requester`. */
export function createService({ origin, ...settings }: SdkSettings, requester: HttpRequester): SdkService {
  const { core, version } = load();
  const sdk = core({
    httpClient: requester,
    loggerClass: SilentLogger,
    connectionClass: SdkConnection,
    client: { name: "snowflake-sdk", version, environment: {} },
  });
  const { service } = sdk.createConnection({
    ...settings,
    accessUrl: origin,
    application: "Fjord",
    clientSessionKeepAlive: false,
    clientStoreTemporaryCredential: false,
    clientRequestMFAToken: false,
    disableQueryContextCache: true,
    // The requester asks again by itself, and knows when to stop.
    sfRetryMaxLoginRetries: 0,
  });
  return service;
}
