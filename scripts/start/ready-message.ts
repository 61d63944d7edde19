// The launcher prints this message when everything runs. Scripts look for the lines that begin with a name.

import type { DemoTeam } from "./state.ts";

const FIRST_QUERY =
  "SELECT category, count(DISTINCT order_id) AS orders, sum(quantity * unit_price - discount) AS revenue " +
  "FROM LAKE.sample.order_items JOIN LAKE.sample.products USING (product_id) " +
  "GROUP BY category ORDER BY revenue DESC LIMIT 3";

/**
 * The console's address signs in by the key, so that it works as often as somebody opens it, where a link that is
 * mailed works once. Browsers send to nobody what is behind the `#`.
 */
export function printReadyMessage(url: string, { key }: DemoTeam): void {
  console.log(`
Fjord runs. Ctrl-C stops it; its data stays.

Base URL: ${url}
API key: ${key}
Console: ${url}/app/sign-in#${key}

Ask the sample which categories sell best:
curl -s ${url}/v1/query -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"sql": "${FIRST_QUERY}"}'

The API, to browse: ${url}/docs
`);
}
