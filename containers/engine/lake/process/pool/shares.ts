// The shares of the machine that the processes of each class of statements may have. Pure.

import { constants } from "node:os";
import type { LakeSettings } from "../../../core/settings.ts";
import type { StatementClass } from "../../../../../kernel/wire/engine-program.ts";
import { sparesOf } from "../../../core/statement-class.ts";

export type Share = {
  /** The class's name, for messages. */
  name: StatementClass;
  /** Statements that run at once. */
  slots: number;
  /** Processes beyond the slots, for statements that are overdue. */
  spares: number;
  /** Processes that are started before a statement asks for one. */
  warm: number;
  /** Statements that may wait for a slot. */
  waitingMax: number;
  /** Memory of one process, in MB. */
  memoryMb: number;
  /** The priority, in the scale of `os.setPriority`. */
  priority: number;
};

export function sharesOf(settings: LakeSettings): Record<StatementClass, Share> {
  const { processes, waitingMax, queryMemoryMb, shortMemoryMb } = settings;
  const spares = sparesOf(processes);
  return {
    short: {
      name: "short",
      slots: processes,
      spares,
      warm: processes + spares,
      waitingMax: waitingMax.short,
      memoryMb: Math.min(shortMemoryMb, queryMemoryMb),
      priority: constants.priority.PRIORITY_NORMAL,
    },
    long: {
      name: "long",
      slots: processes,
      spares: 0,
      warm: 1,
      waitingMax: waitingMax.long,
      memoryMb: queryMemoryMb,
      priority: constants.priority.PRIORITY_BELOW_NORMAL,
    },
  };
}
