// ACME's questions, each with the members that answer it, or with what is asked of the model in vain.

/** `columns`: the members of a semantic query, in the order of the reference statement's columns. */
type Answered = { columns: readonly string[]; filters?: readonly object[] };

/** The model has none of `query`; its answer names `nearest`. */
type OutOfScope = { query: object; nearest: string };

export type Answer = Answered | OutOfScope;

/** The questions that dbt Labs has chosen for its benchmark of semantic layers, by their numbers. */
export const PUBLISHED_SCOPE = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21];

const LOSSES = ["losses.loss_payment", "losses.loss_reserve", "losses.expense_payment", "losses.expense_reserve"];
const SOLD = ["agents.id", "policies.number", "claims.number"];

/** A query for losses with something that the model lacks, beside what it has. */
const lossesBy = (missing: string): object => ({
  measures: ["losses.total"],
  dimensions: ["policies.number", missing],
});

export const ANSWERS: Record<number, Answer> = {
  1: {
    query: { measures: ["losses.loss_ratio"], dimensions: ["policies.number", "agents.id"] },
    nearest: "fire_claims.average_loss_ratio",
  },
  2: { columns: ["policies.number", "losses.costly_claims", "losses.average_per_claim"] },
  3: { columns: ["policies.number", "losses.average_per_claim"] },
  4: { columns: ["agents.id", "losses.total"] },
  5: { query: lossesBy("claims.catastrophe_name"), nearest: "claims.number" },
  6: { query: lossesBy("catastrophes.number"), nearest: "claims.number" },
  7: { query: lossesBy("coverages.premium_amount"), nearest: "premiums.amount" },
  8: { query: lossesBy("policies.premium"), nearest: "premiums.amount" },
  9: { columns: ["claims.number", "losses.total"] },
  10: { columns: ["policies.number", "losses.total"] },
  11: { columns: ["claims.count"] },
  12: { columns: ["claims.number", "losses.loss_amount"] },
  13: { columns: ["policies.count"] },
  14: { columns: ["agents.id", "policies.count"] },
  15: { columns: ["policies.number", "claims.count"] },
  16: { columns: ["premiums.average_policy_size"] },
  17: { columns: ["policy_holders.id", "policies.count"] },
  18: { columns: ["policies.number", "claims.average_days_to_settle"] },
  19: { columns: ["policies.number", "premiums.total"] },
  20: { columns: ["policy_holders.id", "policies.number", "premiums.total"] },
  21: { columns: ["policy_holders.id", "premiums.total"] },
  22: { query: { dimensions: ["agents.id", "claims.catastrophe_type"] }, nearest: "claims.number" },
  23: { columns: [...SOLD, "losses.expense_payment"] },
  24: { columns: [...SOLD, "losses.expense_reserve"] },
  25: { columns: [...SOLD, "losses.loss_payment"] },
  26: { columns: [...SOLD, "losses.loss_reserve"] },
  27: { query: lossesBy("agents.catastrophe"), nearest: "agents.id" },
  28: { query: lossesBy("agents.premium_amount"), nearest: "premiums.amount" },
  29: { columns: ["claims.number", ...LOSSES] },
  30: { query: lossesBy("claims.premium_amount"), nearest: "premiums.amount" },
  31: { query: { dimensions: ["policy_holders.catastrophe"] }, nearest: "policy_holders.id" },
  32: { columns: ["claims.number", "losses.expense_payment"] },
  33: { columns: ["claims.number", "losses.expense_reserve"] },
  34: { columns: ["claims.number", "losses.loss_reserve"] },
  35: { columns: ["policies.number", "policies.effective_at", "policies.expires_at"] },
  36: { columns: ["policies.number", "agents.id"] },
  37: { columns: ["policies.number", "claims.number"] },
  38: {
    columns: ["claims.number"],
    filters: [{ member: "claims.closed_at", operator: "inDateRange", values: ["2019-01-01", "2019-12-31"] }],
  },
  39: { columns: ["claims.number", "claims.opened_at", "claims.closed_at"] },
  40: { columns: ["policies.number", "policy_holders.id"] },
  41: { columns: ["policies.number", "policy_holders.id", "premiums.amount"] },
  42: { columns: ["claims.number", "losses.loss_payment"] },
  43: {
    query: { measures: ["premiums.total"], dimensions: ["policies.number", "policies.coverage_effective_date"] },
    nearest: "policies.effective_at",
  },
  44: { columns: ["policies.number", "premiums.amount"] },
};
