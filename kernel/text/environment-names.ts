// A caller may set some environment variables in a run, a bounded number of them.

import { pointerStep } from "./json-pointer.ts";

const NAMES_MAX = 100;
const BYTES_MAX = 64 * 1024;

/**
 * Variables that decide which code runs, where requests go, and whose rights they have: by what a name begins with, or
 * in full.
 */
const TAKEN_BEGINNINGS = [
  "LD_",
  "DYLD_",
  "GLIBC_",
  "MALLOC_",
  "BASH_",
  "PYTHON",
  "PERL5",
  "PIP_",
  "OMP_",
  "OPENBLAS_",
  "ARROW_",
  "OPENSSL_",
  "SSL_",
  "CURL_",
  "SERVICE_",
  "DEFINITE_",
  "FJORD_",
  "SANDBOX_",
];
const TAKEN_NAMES = [
  ...[
    "DEF_API_KEY",
    "WEBHOOK_DATA_FILE",
    "PATH",
    "HOME",
    "TMPDIR",
    "SHELL",
    "ENV",
    "IFS",
    "PWD",
    "USER",
    "NODE_OPTIONS",
    "SSLKEYLOGFILE",
    "REQUESTS_CA_BUNDLE",
  ],
  ...["GCONV_PATH", "LOCPATH", "NLSPATH", "HOSTALIASES", "RESOLV_HOST_CONF", "GETCONF_DIR"],
];
const TAKEN = new RegExp(`^(${TAKEN_BEGINNINGS.join("|")})|^(${TAKEN_NAMES.join("|")})$|_PROXY$`, "i");
const FORM = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** Each flaw points from what holds the variables as `environmentVariables`. */
export function checkEnvironment(variables: unknown): { pointer: string; message: string }[] {
  const at = "/environmentVariables";
  if (typeof variables !== "object" || variables === null || Array.isArray(variables))
    return [{ pointer: at, message: "must be an object of strings" }];
  const entries = Object.entries(variables as Record<string, unknown>);
  const flaws: { pointer: string; message: string }[] = [];
  if (entries.length > NAMES_MAX)
    flaws.push({ pointer: at, message: `holds ${entries.length} variables; ${NAMES_MAX} are allowed` });
  let bytes = 0;
  for (const [name, value] of entries.slice(0, NAMES_MAX)) {
    const pointer = at + pointerStep(name);
    if (!FORM.test(name))
      flaws.push({
        pointer,
        message: "is no name of an environment variable: letters, digits and _, not a digit first, 128 at most",
      });
    else if (TAKEN.test(name)) flaws.push({ pointer, message: "is reserved and can't be set" });
    if (typeof value !== "string") flaws.push({ pointer, message: "must be a string" });
    else if (value.includes("\0")) flaws.push({ pointer, message: "must not contain NUL" });
    else if (!value.isWellFormed()) flaws.push({ pointer, message: "must be text: it has half of a surrogate pair" });
    else bytes += bytesOf(name) + bytesOf(value);
  }
  if (bytes > BYTES_MAX) flaws.push({ pointer: at, message: `holds ${bytes} bytes; ${BYTES_MAX} are allowed` });
  return flaws;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;
