// A BigQuery integration's credentials, checked part by part before anything is dialled: some become parts of
// addresses.

import type { BigQueryCredentials } from "../../../../../kernel/wire/source.ts";
import { Failure } from "../../../core/failure.ts";
import { readServiceAccount, type ServiceAccount } from "./service-account.ts";

export type CheckedCredentials = {
  account: ServiceAccount;
  /** Where jobs run and are billed; names without a project are found in it. */
  projectId: string;
  /** The location is a text like `EU` or `europe-west1`. */
  location: string | undefined;
  /** In digits. */
  maximumBytesBilled: string | undefined;
};

/** With the domain before it that old projects of companies have. */
const PROJECT = /^([a-z0-9][a-z0-9.-]{0,100}[a-z0-9]:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$/;
const LOCATION = /^[A-Za-z][A-Za-z0-9-]{0,40}$/;
/** Within int64, as the API takes it. */
const BYTES = /^[1-9][0-9]{0,17}$/;

/** Throws `connection_failed`, in words that hold none of the values. */
export function checkCredentials(credentials: BigQueryCredentials): CheckedCredentials {
  const { project_id: projectId, credentials_json: keyFile, location, maximum_bytes_billed: bytes } = credentials;
  if (!PROJECT.test(projectId)) throw invalid("project_id is not the id of a Google Cloud project.");
  if (location !== undefined && !LOCATION.test(location))
    throw invalid('location is not one of BigQuery\'s, such as "EU" or "europe-west1".');
  if (bytes !== undefined && !BYTES.test(bytes)) throw invalid("maximum_bytes_billed is not a number of bytes.");
  return { account: readServiceAccount(keyFile), projectId, location, maximumBytesBilled: bytes };
}

const invalid = (message: string): Failure => new Failure("connection_failed", message, { reason: "other" });
