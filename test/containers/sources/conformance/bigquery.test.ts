import { bigqueryUnderTest } from "../../../support/node/sources/conformance/bigquery.ts";
import { describeSource } from "../../../support/node/sources/conformance/suite.ts";

describeSource("BigQuery", bigqueryUnderTest);
