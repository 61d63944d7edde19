// Ten tasks of an agent, each as the calls that lead to its answer: a transcript that is replayed, without a model.

/** `$MODEL` and `$LAKE` stand for the ids that get_context lists. */
export type Task = { task: string; calls: readonly (readonly [tool: string, input: Record<string, unknown>])[] };

const CONTEXT = ["get_context", {}] as const;
const semantic = (query: object) => ["semantic_query", { integration_id: "$MODEL", query }] as const;
const meta = (...cubes: string[]) => ["semantic_meta", { integration_id: "$MODEL", cubes }] as const;
const search = (text: string) => ["search_catalog", { text, limit: 5 }] as const;
const describe = (table: string) => ["describe_table", { integration_id: "$LAKE", schema: "acme", table }] as const;
const sql = (text: string) => ["run_sql", { sql: text }] as const;

export const TASKS: readonly Task[] = [
  { task: "count the claims", calls: [CONTEXT, semantic({ measures: ["claims.count"] })] },
  {
    task: "sum the premiums of each policy",
    calls: [
      CONTEXT,
      meta("premiums", "policies"),
      semantic({ measures: ["premiums.total"], dimensions: ["policies.number"] }),
    ],
  },
  {
    task: "find how long claims take to settle",
    calls: [CONTEXT, search("time to settle a claim"), semantic({ measures: ["claims.average_days_to_settle"] })],
  },
  {
    task: "list the claims that were opened by month",
    calls: [
      CONTEXT,
      meta("claims"),
      semantic({
        measures: ["claims.count"],
        timeDimensions: [{ dimension: "claims.opened_at", granularity: "month" }],
      }),
    ],
  },
  {
    task: "total the losses by agent",
    calls: [CONTEXT, meta("losses", "agents"), semantic({ measures: ["losses.total"], dimensions: ["agents.id"] })],
  },
  {
    task: "name the catastrophe of each claim",
    calls: [
      CONTEXT,
      search("catastrophe of a claim"),
      describe("Claim"),
      sql(
        "SELECT c.Company_Claim_Number, k.Catastrophe_Name FROM LAKE.acme.Claim c JOIN LAKE.acme.Catastrophe k USING (Catastrophe_Identifier)",
      ),
    ],
  },
  {
    task: "find the address of each insured object",
    calls: [
      CONTEXT,
      search("address of insured objects"),
      describe("Location_Address"),
      sql(
        "SELECT o.Insurable_Object_Identifier, a.Line_1_Address FROM LAKE.acme.Insurable_Object o JOIN LAKE.acme.Geographic_Location g USING (Geographic_Location_Identifier) JOIN LAKE.acme.Location_Address a USING (Location_Address_Identifier)",
      ),
    ],
  },
  {
    task: "compare the loss ratio of houses with and without a fireplace",
    calls: [
      CONTEXT,
      search("loss ratio of houses by fireplace"),
      semantic({ measures: ["fire_claims.average_loss_ratio"], dimensions: ["fire_claims.fireplace"] }),
    ],
  },
  {
    task: "export all houses",
    calls: [CONTEXT, search("distance to the fire station"), sql("SELECT * FROM LAKE.acme.FireClaim")],
  },
  {
    task: "repair a statement in another dialect",
    calls: [
      CONTEXT,
      sql("SELECT DATE_FORMAT(Claim_Open_Date, '%Y-%m') AS month, count(*) FROM LAKE.acme.Claim GROUP BY 1"),
      sql("SELECT strftime(Claim_Open_Date, '%Y-%m') AS month, count(*) FROM LAKE.acme.Claim GROUP BY 1"),
    ],
  },
];
