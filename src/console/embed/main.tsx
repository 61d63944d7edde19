// The entry point of the page at /embed/dashboards: a published dashboard, for whoever holds a token of it, within
// another page.

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { mayRetry } from "../api/problem.ts";
import { Embedding } from "./embedding.tsx";

const queries = new QueryClient({ defaultOptions: { queries: { retry: mayRetry, refetchOnWindowFocus: false } } });

createRoot(document.getElementById("root")!).render(
  <QueryClientProvider client={queries}>
    <Embedding />
  </QueryClientProvider>,
);
