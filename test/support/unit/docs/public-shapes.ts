// Docs as YAML in the shapes in which their platform of origin publishes its examples: in its guides to filters, tiles,
// pipelines and webhooks, and in its repository of applications. The texts are this suite's own.

export type PublicShape = {
  name: string;
  yaml: string;
  /** The schedule of each job that the doc makes. */
  schedules: readonly { cron: string; timezone: string }[];
};

const application = `version: 1
schemaVersion: "2025-01"
kind: dashboard
metadata:
  name: "Shop floor"
datasets: {}
layout:
  columns: 36
  tiles:
    - id: floor
      x: 0
      y: 0
      w: 36
      h: 22
      type: html
      fullScreen: true
      driveFile: "apps/shop-floor/dist/index.html"
`;

const filtered = `version: 1
schemaVersion: "2025-01"
kind: dashboard

metadata:
  name: "Sales by country"
  description: "What was sold where"

# Between metadata and datasets
filters:
  - id: country_filter         # its own
    label: Country
    target:
      dimension: orders.country
    operator: equals
    display: prominent
    values:                    # chosen at first
      - Norway
      - "Sri Lanka"
  - id: note_filter
    label: Note
    target: {dimension: orders.note}
    operator: notContains

datasets:
  sold:
    engine: "cube"
    cube: orders
    measures: [revenue, count]
    dimensions: [country]
    timeDimensions:
      - dimension: ordered_at
        granularity: month
        dateRange: last 90 days
    filters:
      - member: orders.state
        operator: equals
        values: [paid]
    order: {orders.revenue: desc}
    limit: 500

layout:
  columns: 36
  tiles:
    - {id: sold, x: 0, y: 0, w: 36, h: 12, type: chart, title: Sold, source: sold,
       viz: {type: bar, series: [{field: orders.revenue, format: currency}]}}
`;

const tiles = `version: 1
schemaVersion: "2025-01"
kind: dashboard
metadata: {name: Tiles}
datasets:
  # One row
  paid:
    engine: "sql"
    sql: |
      SELECT sum(amount) AS paid
      FROM LAKE.shop.payments
      WHERE state = 'paid'
        AND paid_at >= current_date - INTERVAL '90 days'
  months:
    engine: sql
    sql: |
      SELECT date_trunc('month', paid_at) AS month, sum(amount) AS paid FROM LAKE.shop.payments GROUP BY month
layout:
  columns: 36
  tiles:
    - id: paid
      x: 0
      y: 0
      w: 9
      h: 4
      type: kpi
      title: "Paid"
      source: paid
      viz:
        type: "kpi"
        series:
          - field: "paid"
            format: "currency"
        colors:
          color: "#0ea5e9"
        compare: previousPeriod
    - id: months
      x: 9
      y: 0
      w: 27
      h: 10
      type: chart
      source: months
      viz: {type: area, x: {field: month}, series: [{field: paid, format: number}]}
    - {id: rows, x: 0, y: 10, w: 36, h: 8, type: table, source: months, viz: {type: table}}
    - {id: note, x: 0, y: 4, w: 9, h: 6, type: markdown, content: "# Paid\\nof **90** days"}
`;

const pipeline = `version: 1
schemaVersion: "2025-01"
kind: pipeline
metadata:
  name: Orders each day
  description: Reads orders, joins customers, tells the shop

datasets:
  orders:
    engine: sql
    sql: |
      SELECT id, customer_id, amount, ordered_at
      FROM orders
      WHERE ordered_at >= current_date - interval '7 days'

  customers:
    engine: cube
    cube: Customers
    measures: [count]
    dimensions: [id, region]

  report:
    engine: python
    dependsOn: [orders, customers]
    inputs:
      - ref: orders
        as: orders_df
      - ref: customers
        as: customers_df
    code: |
      result = orders_df.merge(customers_df, left_on='customer_id', right_on='id')
      result['total'] = result.groupby('region')['amount'].transform('sum')
    timeoutMs: 60000

automations:
  - name: Each weekday
    trigger:
      type: cron
      cron: "0 9 * * 1-5"
      timezone: America/New_York
    destinations:
      - type: email
        to: [ada@example.com, bob@example.com]
      - type: slack
        integrationId: 0197a2b4-0000-7000-8000-000000000000
        channelId: C0123456789
  - id: nightly
    enabled: true
    trigger: {type: schedule, cron: "0 2 * * *"}
`;

const webhook = `version: 1
schemaVersion: "2025-01"
kind: pipeline
metadata: {name: Started by a webhook}
datasets:
  take:
    engine: python
    requirements: [httpx==0.28.1]
    code: |
      import json, os
      with open(os.environ["WEBHOOK_DATA_FILE"]) as file:
          result = [json.load(file)]
automations: []
`;

export const PUBLIC_SHAPES: readonly PublicShape[] = [
  { name: "an application", yaml: application, schedules: [] },
  { name: "a dashboard with prominent filters", yaml: filtered, schedules: [] },
  { name: "a dashboard with each type of tile", yaml: tiles, schedules: [] },
  {
    name: "a pipeline with schedules and destinations",
    yaml: pipeline,
    schedules: [
      { cron: "0 9 * * 1-5", timezone: "America/New_York" },
      { cron: "0 2 * * *", timezone: "UTC" },
    ],
  },
  { name: "a pipeline that webhooks start", yaml: webhook, schedules: [] },
];
