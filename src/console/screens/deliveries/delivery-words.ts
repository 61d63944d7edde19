// A delivery in words: what it sends, to whom, and under which condition. Pure.

import type { components } from "../../api/schema.d.ts";

export type Delivery = components["schemas"]["Delivery"];

export const sourceWords = ({ source }: Delivery): string =>
  source.kind === "query"
    ? "a saved query"
    : source.dataset_keys
      ? `${source.dataset_keys.join(", ")} of a doc`
      : "a whole doc";

export const recipientWords = (recipient: Delivery["to"][number]): string => {
  switch (recipient.channel) {
    case "email":
      return recipient.address;
    case "slack":
      return `Slack ${recipient.channel_id}`;
    case "teams":
      return "Teams";
    case "webhook":
      return "a webhook";
  }
};

export function conditionWords(condition: Delivery["condition"]): string {
  if (!condition) return "with every run";
  switch (condition.kind) {
    case "rows":
      return "when there are rows";
    case "no_rows":
      return "when there are none";
    case "value":
      return `when ${condition.column} ${condition.operator} ${condition.value}`;
    case "change":
      return `when ${condition.column} changes by more than ${condition.more_than}${condition.unit === "percent" ? "%" : ""}`;
  }
}
