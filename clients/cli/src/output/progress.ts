// A line of progress that is rewritten in place, on terminals alone.

import { formatBytes } from "./table.ts";

const EVERY_MS = 100;

export function showProgress(name: string): { update(done: number, total: number): void; end(): void } {
  const isShown = process.stderr.isTTY === true;
  let shownAt = 0;
  return {
    update(done, total) {
      if (!isShown || (Date.now() - shownAt < EVERY_MS && done < total)) return;
      shownAt = Date.now();
      const share = total > 0 ? Math.floor((done / total) * 100) : 100;
      process.stderr.write(`\r\u001b[K${name}  ${share} %  ${formatBytes(done)} of ${formatBytes(total)}`);
    },
    end: () => void (isShown && process.stderr.write("\r\u001b[K")),
  };
}
