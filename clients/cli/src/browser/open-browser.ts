// The person's own browser, as each system opens an address.

import { spawn } from "node:child_process";

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** BROWSER names another program. One that can't be started is no failure: the address was printed. */
export function openBrowser(address: string): void {
  const named = process.env["BROWSER"];
  const [command, ...args] = named ? [named] : (OPENERS[process.platform] ?? ["xdg-open"]);
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}
