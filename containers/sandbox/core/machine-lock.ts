// One sandbox at a time can have some parts of this machine: a lock sees to that.

import { createServer } from "node:net";

/**
 * Takes the lock until this process ends; false where another has it. An abstract socket has one owner and goes with
 * it, whatever its end.
 */
export function lockOnMachine(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const holder = createServer((socket) => socket.destroy());
    holder.once("error", () => resolve(false));
    holder.listen(`\0fjord-sandbox-${name}`, () => {
      holder.unref();
      resolve(true);
    });
  });
}
