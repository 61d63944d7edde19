// The clients that the ring `engines` reads with: what is fetched from Maven's central repository and from the Python
// index, each at one version with the digest that it had when it was chosen.

import { join } from "node:path";

export type MavenFile = { group: string; artifact: string; version: string; type: string; sha256: string };

export const TRINO_SERVER: MavenFile = {
  group: "io.trino",
  artifact: "trino-server-core",
  version: "476",
  type: "tar.gz",
  sha256: "0f388f9967c177ae70a47c099082fc95387f0c3cb96d8000d1d41fc3a5223158",
};
export const TRINO_ICEBERG: MavenFile = {
  group: "io.trino",
  artifact: "trino-iceberg",
  version: "476",
  type: "zip",
  sha256: "99edba5b491ed94d599aeb61e0794272d3569d8b563f3bb8569e8a49daa87b6c",
};
export const TRINO_JDBC: MavenFile = {
  group: "io.trino",
  artifact: "trino-jdbc",
  version: "484",
  type: "jar",
  sha256: "46476af2968e6f3234e8b22d7e29c26e6d7213ce88ab546a29c4c318c921cd34",
};
export const SPARK_ICEBERG: MavenFile = {
  group: "org.apache.iceberg",
  artifact: "iceberg-spark-runtime-4.1_2.13",
  version: "1.12.0",
  type: "jar",
  sha256: "3123c3798af642dd537230923548e013ef41cc28b6626e5225808cf5670a0f82",
};
export const ICEBERG_AWS: MavenFile = {
  group: "org.apache.iceberg",
  artifact: "iceberg-aws-bundle",
  version: "1.12.0",
  type: "jar",
  sha256: "dd7e49ffa4ac9b215bed846581991259e3aec9bb2fa08d6cec029c46cd66d957",
};

const requirements = (name: string): string => join(import.meta.dirname, "clients", name);
/** Files of pip that pin each package by version and digest. */
export const PYTHON_REQUIREMENTS = requirements("requirements.txt");
export const DBT_REQUIREMENTS = requirements("requirements-dbt.txt");
export const SPARK_REQUIREMENTS = requirements("requirements-spark.txt");
