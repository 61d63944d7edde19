"""Spark with Iceberg's runtime reads the catalog, in this process's own JVM."""

import json
import sys

from pyspark.sql import SparkSession

from conversation import serve, table_of

CATALOGS, JARS = json.loads(sys.argv[1]), sys.argv[2]
TYPES = {"timestamptz": "TIMESTAMP", "timestamp": "TIMESTAMP_NTZ", "long": "BIGINT"}


def settings(address, warehouse, key):
    return {
        "": "org.apache.iceberg.spark.SparkCatalog",
        ".type": "rest",
        ".uri": f"{address}/iceberg",
        ".warehouse": warehouse,
        ".token": key,
        ".header.X-Iceberg-Access-Delegation": "vended-credentials",
        ".io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
        ".cache-enabled": "false",
    }


builder = SparkSession.builder.master("local[2]").appName("fjord")
for catalog, access in CATALOGS.items():
    for name, value in settings(*access).items():
        builder = builder.config(f"spark.sql.catalog.{catalog}{name}", value)
for name, value in {
    "spark.jars": JARS,
    "spark.driver.memory": "1g",
    # Compiles soon rather than well, for statements that run once.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
}.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")


def source(catalog, table, snapshot):
    schema, name = table
    return f"{catalog}.`{schema}`.`{name}`" + ("" if snapshot is None else f" VERSION AS OF {snapshot}")


def predicate(column, operator, value, type):
    # A UUID is shown as its bytes.
    literal = f"X'{value.replace('-', '')}'" if type == "uuid" else f"CAST('{value}' AS {TYPES.get(type, type)})"
    return f"`{column}` {operator} {literal}"


def list_tables(catalog):
    namespaces = [row[0] for row in spark.sql(f"SHOW NAMESPACES IN {catalog}").collect()]
    return [[name, row.tableName]
            for name in namespaces for row in spark.sql(f"SHOW TABLES IN {catalog}.`{name}`").collect()]


def read(catalog, table, snapshot):
    frame = spark.sql(f"SELECT * FROM {source(catalog, table, snapshot)}")
    zoned = {field.name for field in frame.schema.fields if field.dataType.typeName() == "timestamp"}
    # Python's own instants have the machine's zone; texts have the session's.
    columns = [f"date_format(`{name}`, \"yyyy-MM-dd'T'HH:mm:ss.SSSSSSX\") AS `{name}`" if name in zoned else f"`{name}`"
               for name in frame.columns]
    return table_of(frame.columns, frame.selectExpr(*columns).collect())


def count(catalog, table, predicates):
    counts = [f"SELECT {index}, count(*) FROM {source(catalog, table, None)} WHERE {predicate(**each)}"
              for index, each in enumerate(predicates)]
    return [count for _, count in sorted(spark.sql(" UNION ALL ".join(counts)).collect())]


def write(catalog, table):
    spark.sql(f"INSERT INTO {source(catalog, table, None)} SELECT * FROM {source(catalog, table, None)}").collect()


def hold(catalog, table):
    read(catalog, table, None)


def read_held(catalog, table):
    return read(catalog, table, None)


serve({"tables": list_tables, "read": read, "count": count, "write": write, "hold": hold, "read_held": read_held})
