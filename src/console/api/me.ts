// The user who is signed in has a role and rights. The shell reads it before any screen is drawn, so that screens can
// rely on it.

import { useQuery, useSuspenseQuery, queryOptions } from "@tanstack/react-query";
import { api, dataOf } from "./client.ts";
import type { components } from "./schema.d.ts";

export type Me = components["schemas"]["Me"];
export type Right = Me["rights"][number];

export const ME_KEY = ["me"];

const meQuery = queryOptions({
  queryKey: ME_KEY,
  queryFn: () => dataOf(api.GET("/v4/me")),
  staleTime: 60_000,
  retry: false,
});

/** Undefined while nobody knows yet; an error of 401 where nobody is signed in. */
export const useMaybeMe = () => useQuery(meQuery);

export const useMe = (): Me => useSuspenseQuery(meQuery).data;

/** Whether the one who is signed in has the right; what they lack is not shown, and the API refuses it all the same. */
export const useMay = (right: Right): boolean => useMe().rights.includes(right);
