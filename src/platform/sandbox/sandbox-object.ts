// The sandbox object runs one team's sandbox.

import {
  PROTOCOL,
  SANDBOX_VERSION_HEADER,
  SANDBOX_PORT,
  SANDBOX_SETTINGS,
  SandboxStatus,
  type SandboxEnvironment,
} from "../../../kernel/wire/sandbox.ts";
import type { Program } from "../container/program.ts";
import { ProgramObject } from "../container/program-object.ts";
import { settingsIn } from "../container/settings.ts";

export const SANDBOX: Program = {
  name: "sandbox",
  port: SANDBOX_PORT,
  protocolHeader: SANDBOX_VERSION_HEADER,
  protocol: PROTOCOL,
};

export class SandboxObject extends ProgramObject {
  constructor(ctx: DurableObjectState<{}>, env: Env) {
    super(ctx, env, SANDBOX);
  }

  protected override environment(secret: string): SandboxEnvironment {
    const { PLATFORM_URL, S3_DIAL, S3_ENDPOINT, WEAK_JAIL_ALLOWED } = this.env;
    const own = { SANDBOX_SECRET: secret, PLATFORM_URL, S3_DIAL, S3_ENDPOINT, WEAK_JAIL_ALLOWED };
    return { ...settingsIn(this.env, SANDBOX_SETTINGS), ...own };
  }

  protected override isBusy(status: unknown): boolean {
    return SandboxStatus.parse(status).runs > 0;
  }
}
