// Some failures end a whole maintenance, and not just the table or the step that met them.

import { Failure } from "../../core/failure.ts";
import { isUnreachable } from "../../platform/ask-platform.ts";

/**
 * Whether the platform is gone, so that every other request would fail as well. An object that can't be read does not
 * mean that.
 */
export const isPlatformGone = (error: unknown): boolean =>
  (error instanceof Failure && error.code === "cancelled") || isUnreachable(error);
