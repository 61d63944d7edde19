// Docs that are brought from elsewhere: each is saved, all of it is known, and what it schedules is scheduled.

import { Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import { getDocSchema } from "../../../../src/features/docs/definition/schema-routes.ts";
import { PUBLIC_SHAPES, type PublicShape } from "../../../support/unit/docs/public-shapes.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam } from "../../../support/unit/team.ts";

const validator = new Validator(getDocSchema(), "2020-12", false);

describe.each(PUBLIC_SHAPES)("$name", ({ yaml, schedules }) => {
  it("is saved with no member or word that nothing knows, and becomes its jobs", async () => {
    const team = await newTeam();
    const headers = { "content-type": "application/yaml" };
    const { status, body } = await call("POST", "/v4/docs", { key: team.admin.key, raw: yaml, headers });
    expect([status, body.error]).toEqual([201, undefined]);
    const { id, warnings = [] } = body.data as { id: string; warnings?: string[] };
    expect(warnings.filter((warning) => /Nothing here (knows|draws)/.test(warning))).toEqual([]);
    const { data } = (await call("GET", `/v4/docs/${id}`, { key: team.member.key })).body;
    expect(data.text).toBe(yaml);
    expect(validator.validate(data.definition).errors).toEqual([]);
    // An entry with destinations is a job of the delivery to them.
    const jobs = await call("GET", "/v4/automations/jobs", { key: team.admin.key });
    const cronsOf = (all: readonly PublicShape["schedules"][number][]) =>
      all.map(({ cron, timezone }) => `${cron} ${timezone}`).sort();
    const made = jobs.body.data.items as { schedule: PublicShape["schedules"][number]; docAutomation: string | null }[];
    expect(made.filter(({ docAutomation }) => docAutomation === null)).toEqual([]);
    expect(cronsOf(made.map(({ schedule }) => schedule))).toEqual(cronsOf(schedules));
    // Each destination names somebody, by members that are read.
    expect(warnings.filter((warning) => /names nobody|no use for/.test(warning))).toEqual([]);
  });
});
