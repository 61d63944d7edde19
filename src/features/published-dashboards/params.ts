// The path that the routes of published dashboards share.

import { z } from "@hono/zod-openapi";

export const PublishedDashboardIdPath = z.object({ published_dashboard_id: z.string() });
