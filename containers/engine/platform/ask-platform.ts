// The engine as a client of the platform's internal routes: what goes wrong there as the engine's own failures.

import { isUnanswered, PlatformClient, PlatformRefusal, type PlatformRequest } from "../../program/platform-client.ts";
import { Failure } from "../core/failure.ts";

/** Where an engine reaches the platform; `s3Dial` as `S3_DIAL` of the contract's `EngineEnvironment`. */
export type PlatformAddress = { platformUrl: string; s3Dial: string };

/** Where the platform is, and with which token it is asked. */
export type PlatformAccess = { platformUrl: string; token: string };

/** Rejects with `platform_unavailable`, whose cause says more, or with the signal's reason. */
export async function askPlatform<T>(access: PlatformAccess, request: PlatformRequest<T>): Promise<T> {
  try {
    return await new PlatformClient(access.platformUrl, access.token).post(request);
  } catch (cause) {
    request.signal?.throwIfAborted();
    const message =
      cause instanceof PlatformRefusal && !cause.isPassing
        ? `The lake's catalog refused: ${cause.message}`
        : "The lake's catalog could not be asked; try again.";
    throw new Failure("platform_unavailable", message, { cause });
  }
}

/** Statuses of proxies that can't reach the platform: RFC 9110 §15.6, and Cloudflare's 520 to 530. */
const AWAY = [502, 503, 504];

/** Whether the platform gave no answer itself, as opposed to an answer that reports a failure. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Failure) || error.code !== "platform_unavailable") return false;
  const { cause } = error;
  if (cause instanceof PlatformRefusal)
    return AWAY.includes(cause.status) || (cause.status >= 520 && cause.status <= 530);
  return isUnanswered(cause);
}
