// A project of dbt: a seed, a table, and tables that grow by each way that its adapter for Trino has.

/** By the paths of its files. */
export const DBT_PROJECT: Readonly<Record<string, string>> = {
  "dbt_project.yml": `
name: shop
version: "1.0"
profile: fjord
vars: {days: 5}
models:
  shop:
    +materialized: table
    +persist_docs: {relation: true, columns: true}
seeds:
  shop:
    +column_types: {since: date, name: varchar, price: "decimal(10,2)"}
`,
  "seeds/prices.csv":
    "id,name,price,since,is_new\n1,apple,1.5,2024-01-01,true\n2,it's,20.25,2024-02-29,false\n3,,3,,\n",
  "models/customers.sql": `
select d.x as id, date_add('day', cast(d.x as bigint), date '2024-01-01') as day, p.name, p.price
from unnest(array[1, 2, 3, 4, 5, 6, 7, 8]) as d(x)
left join {{ ref('prices') }} p on p.id = d.x
where d.x <= {{ var('days') }}
`,
  "models/appended.sql": `
{{ config(materialized='incremental', views_enabled=false) }}
select id, day from {{ ref('customers') }}
{% if is_incremental() %} where id > (select max(id) from {{ this }}) {% endif %}
`,
  "models/merged.sql": `
{{ config(materialized='incremental', views_enabled=false, incremental_strategy='merge', unique_key='id') }}
select id, day, name, price from {{ ref('customers') }}
`,
  "models/replaced.sql": `
{{ config(materialized='incremental', views_enabled=false, incremental_strategy='delete+insert', unique_key='id') }}
select id, day, price from {{ ref('customers') }}
`,
  "models/schema.yml": `
version: 2
models:
  - name: customers
    description: "Who bought, and it's theirs"
    columns:
      - name: id
        description: "A number"
        data_tests: [unique, not_null]
  - name: appended
    columns: [{name: id, data_tests: [unique, not_null]}]
  - name: merged
    columns: [{name: id, data_tests: [unique, {relationships: {arguments: {to: ref('customers'), field: id}}}]}]
  - name: replaced
    columns: [{name: id, data_tests: [unique, {accepted_values: {arguments: {values: [1, 2, 3, 4, 5, 6, 7, 8], quote: false}}}]}]
`,
};

/** The key goes as a header: the client sends a password by TLS alone. */
export function profilesOf(baseUrl: string, key: string): string {
  const { hostname, port } = new URL(baseUrl);
  return `
fjord:
  target: dev
  outputs:
    dev:
      type: trino
      method: none
      http_scheme: http
      host: ${hostname}
      port: ${port}
      user: ada
      http_headers: {Authorization: "Bearer ${key}"}
      database: lake
      schema: dbt_shop
      threads: 2
`;
}
