// The type of the typed operations, which the parts of the client call.

import type { Client } from "openapi-fetch";
import type { paths } from "../schema.d.ts";

export type FjordApi = Client<paths>;
