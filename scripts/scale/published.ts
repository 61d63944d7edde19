// The parts of the page that say what Cloudflare publishes: its prices, its limits, and where these stand.

import { INSTANCE_TYPES, LIMITS, PAGES, PRICES, READ_ON, type Page } from "./cloudflare.ts";
import { about, exact, shown, tableOf } from "./table.ts";

export const PUBLISHED = {
  prices: () =>
    tableOf(
      ["Price", "included a month", "beyond", "Page"],
      Object.values(PRICES).map(({ of, included, usd, per, page }) => [
        of,
        shown(included),
        `$${usd} for ${shown(per)}`,
        pageName(page),
      ]),
    ),

  limits: () =>
    tableOf(
      ["Limit", "", "Page"],
      Object.values(LIMITS).map(({ of, value, page }) => [of, exact(value), pageName(page)]),
    ),

  pages: () =>
    tableOf(
      ["Page", "Copy of"],
      Object.values(PAGES).map(({ name, url, of }) => [`[${name}](${url})`, of ?? `no date, read ${READ_ON}`]),
    ),

  instances: () =>
    tableOf(
      ["Instance type", "vCPU", "GiB", "GB of disk", "an hour awake", "an hour at work", "of an account at most"],
      Object.entries(INSTANCE_TYPES).map(([name, { vcpu, gib, diskGb }]) => {
        const awake = 3_600 * (gib * PRICES.containerGibSeconds.usd + diskGb * PRICES.containerDiskGbSeconds.usd);
        const atWork = awake + 3_600 * vcpu * PRICES.containerCpuSeconds.usd;
        const most = Math.min(
          LIMITS.containersGib.value / gib,
          LIMITS.containersCpus.value / vcpu,
          LIMITS.containersDiskGb.value / diskGb,
        );
        return [name, shown(vcpu), shown(gib), shown(diskGb), cents(awake), cents(atWork), about(Math.floor(most))];
      }),
    ),
} as const satisfies Record<string, () => string>;

const pageName = (page: Page): string => PAGES[page].name;

const cents = (usd: number): string => `${(usd * 100).toFixed(1)} ¢`;
