// The Worker's bindings and settings, as `wrangler.toml` and the secrets declare them.

type EngineSettings = Partial<Record<import("../kernel/wire/engine-program.ts").EngineSettingName, string>>;
type SandboxSettings = Partial<Record<import("../kernel/wire/sandbox.ts").SandboxSettingName, string>>;

interface Env extends EngineSettings, SandboxSettings {
  DB: D1Database;
  BUCKET: R2Bucket;
  CATALOG: DurableObjectNamespace<import("./lake/catalog/catalog-object.ts").CatalogObject>;
  ENGINE: DurableObjectNamespace<import("./platform/engine/engine-object.ts").EngineObject>;
  SANDBOX: DurableObjectNamespace<import("./platform/sandbox/sandbox-object.ts").SandboxObject>;
  LOGS: DurableObjectNamespace<import("./platform/logs/log-object.ts").LogObject>;
  METER: DurableObjectNamespace<import("./platform/meter/meter-object.ts").MeterObject>;
  WAKE_UPS: Queue;
  ALERT_WAKE_UPS: Queue;
  CLEANUP_WAKE_UPS: Queue;
  ASSETS: Fetcher;

  PLATFORM_URL: string;
  S3_ENDPOINT: string;
  S3_DIAL: string;
  BUCKET_NAME: string;
  HOSTS_ALLOWED: "" | "loopback" | "private";
  SYNC_RETRY_SECONDS: string;
  /** How many engines a team may have: 1 to 8, and no more than its plan allows. Empty: one. */
  ENGINES_PER_TEAM: string;
  /** What `/health` asks of the outside; empty: the S3 endpoint. */
  HEALTH_URL: string;
  /** Where Slack's Web API is; empty: at Slack. Another address is this machine, for development. */
  SLACK_API_URL: string;
  /** Where DNS is asked over HTTPS; empty: at Cloudflare. Another address is this machine, for development. */
  DNS_URL: string;
  /** Where Cloudflare Access signs in, such as `acme.cloudflareaccess.com`; empty: the platform is not behind it. */
  ACCESS_TEAM_DOMAIN: string;
  /** The tag of the application at Access that stands for this platform; empty as the domain is. */
  ACCESS_AUD: string;
  /** Lets a sandbox run code in a jail that its own probe found weak; development only. */
  WEAK_JAIL_ALLOWED: "" | "yes";
  SUPERVISOR_URL: string;
  /** Cloudflare's binding that sends mail; absent where no mail is sent. */
  MAIL?: SendEmail;
  /** The sender of all mail, `Fjord <fjord@example.com>`; empty: no mail is sent. */
  MAIL_FROM: string;

  /** `<id>:<base64 of 32 bytes>` entries, comma separated; the first seals, all open. */
  VAULT_KEYS: string;
  /** Signs the tokens that containers call back with. */
  TOKEN_SECRET: string;
  /** Mints the first operator, once. */
  BOOTSTRAP_SECRET: string;
  S3_ACCESS_KEY_ID: string;
  S3_SECRET_ACCESS_KEY: string;
  /** The local supervisor's per-boot token; unset where containers are real. */
  SUPERVISOR_TOKEN?: string;
  /** The local launcher's: mail goes into an outbox for the operator to read, and nowhere else. */
  MAIL_OUTBOX?: "yes";
}
