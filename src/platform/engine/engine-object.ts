// The engine object runs one team's engine.

import {
  ENGINE_HEADER,
  ENGINE_PORT,
  ENGINE_SETTINGS,
  PROTOCOL,
  type EngineEnvironment,
} from "../../../kernel/wire/engine-program.ts";
import { EngineStatus } from "../../../kernel/wire/engine.ts";
import { ProgramObject, type Program } from "../container/program-object.ts";
import { settingsIn } from "../container/settings.ts";

export const ENGINE: Program = { name: "engine", port: ENGINE_PORT, protocolHeader: ENGINE_HEADER, protocol: PROTOCOL };

export class EngineObject extends ProgramObject {
  constructor(ctx: DurableObjectState<{}>, env: Env) {
    super(ctx, env, ENGINE);
  }

  protected override environment(secret: string): EngineEnvironment {
    const { PLATFORM_URL, S3_DIAL, HOSTS_ALLOWED } = this.env;
    return { ...settingsIn(this.env, ENGINE_SETTINGS), ENGINE_SECRET: secret, PLATFORM_URL, S3_DIAL, HOSTS_ALLOWED };
  }

  protected override isBusy(status: unknown): boolean {
    const { statements, jobs } = EngineStatus.parse(status);
    return statements + jobs > 0;
  }
}
