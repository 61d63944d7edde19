// Which failures end a whole maintenance, and not just the table or the step that met them.

import { Failure } from "../../core/failure.ts";
import { isUnreachable } from "../../platform/ask-platform.ts";

/** Nothing else could be asked either. An object that can't be read says nothing of the others. */
export const isPlatformGone = (error: unknown): boolean =>
  (error instanceof Failure && error.code === "cancelled") || isUnreachable(error);
