// Trino's own Python client and SQLAlchemy's inspector, as they are, against the whole product.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, expect, inject, it } from "vitest";
import { installWheels } from "../../../support/node/tools/python-wheels.ts";

const run = promisify(execFile);
const WHEELS = ["trino==0.340.0", "sqlalchemy==2.1.9"];

let wheels: string;
beforeAll(async () => {
  wheels = await installWheels("trino-client-0.340.0", WHEELS, "The tests of Trino's protocol");
});

const PROGRAM = `
import json, sys, requests, trino
from urllib.parse import urlparse
from sqlalchemy import create_engine, func, inspect, MetaData, select, Table
url, key = urlparse(sys.argv[1]), sys.argv[2]
# The client sends a password by TLS alone: a session of its own sends it without.
session = requests.Session()
session.auth = ("ada", key)
how = {"http_scheme": "http", "http_session": session}
connection = trino.dbapi.connect(host=url.hostname, port=url.port, user="ada", catalog="lake", schema="sample", **how)
def rows(sql, values=None):
    cursor = connection.cursor()
    cursor.execute(sql, values) if values else cursor.execute(sql)
    return [[str(value) for value in row] for row in cursor.fetchall()]
found = {
    "typed": rows("SELECT 7/2, DECIMAL '1.50', DATE '2024-02-29', TIMESTAMP '2024-01-01 00:00:00.123456', 1e0, NULL"),
    "bound": rows("SELECT ?, ?, ?", (1, "a'b", None)),
    "mapped": rows("SELECT MAP(ARRAY['a', 'b'], ARRAY[DATE '2024-02-29', NULL]), MAP(ARRAY[1], ARRAY[ROW(1, 'x')]), MAP()"),
    "shown": rows("SHOW TABLES LIKE 'customers'"),
}
try:
    rows("SELECT 1,\\n nothing")
except trino.exceptions.TrinoUserError as error:
    found["refused"] = [error.error_name, error.message]
cursor = connection.cursor()
cursor.execute("SELECT 1")
cursor.cancel()
engine = create_engine(f"trino://ada@{url.hostname}:{url.port}/lake/sample", connect_args=how)
inspector = inspect(engine)
found["schemas"] = "sample" in inspector.get_schema_names()
found["tables"] = inspector.get_table_names()
found["columns"] = {column["name"]: str(column["type"]) for column in inspector.get_columns("customers")}
found["has"] = [inspector.has_table("customers"), inspector.has_table("nothing")]
found["rest"] = [inspector.get_view_names(), inspector.get_indexes("customers"), inspector.get_table_comment("customers")]
customers = Table("customers", MetaData(), autoload_with=engine)
counted = select(customers.c.country, func.count().label("n")).group_by(customers.c.country)
with engine.connect() as connected:
    found["counted"] = [list(row) for row in connected.execute(counted.order_by(func.count().desc()).limit(1))]
print(json.dumps(found))
`;

it("reads, binds values, looks around and is refused", async () => {
  const { baseUrl, key } = inject("platform");
  const env = { ...process.env, PYTHONPATH: wheels };
  const { stdout } = await run("python3", ["-c", PROGRAM, baseUrl, key], { env, timeout: 100_000 });
  expect(JSON.parse(stdout)).toEqual({
    typed: [["3", "1.50", "2024-02-29", "2024-01-01 00:00:00.123456", "1.0", "None"]],
    bound: [["1", "a'b", "None"]],
    mapped: [["{'a': datetime.date(2024, 2, 29), 'b': None}", "{1: (1, 'x')}", "{}"]],
    shown: [["customers"]],
    refused: ["COLUMN_NOT_FOUND", "line 2:2: Column 'nothing' cannot be resolved"],
    schemas: true,
    tables: ["customers", "order_items", "orders", "products"],
    columns: expect.objectContaining({ customer_id: "BIGINT", country: "VARCHAR" }),
    has: [true, false],
    rest: [[], [], { text: null }],
    counted: [["Norway", expect.any(Number)]],
  });
});
