// Files of the drive are never documents of the platform's own origin: they are handed out by URLs of the bucket alone.

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { openClients } from "../../../../src/clients/clients.ts";
import { call, send } from "../../../support/unit/http.ts";
import { newTeam } from "../../../support/unit/team.ts";

const SCRIPT = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(document.domain)</script></svg>";

it("is served by no address of the platform, whatever the path is", async () => {
  const team = await newTeam();
  await env.BUCKET.put(`${team.id}/drive/picture.svg`, SCRIPT, { httpMetadata: { contentType: "image/svg+xml" } });
  const { key } = team.admin;
  const asked = await call("POST", "/v3/drive/download-url", { key, body: { path: "picture.svg" } });
  const url = new URL(asked.body.download_url);
  expect(url.origin).toBe(openClients(env).bucket.origin);
  const paths = ["/v3/drive/picture.svg", "/v3/drive/file/picture.svg", url.pathname, `/app${url.pathname}`];
  for (const path of [...paths, "/v3/drive/file?path=picture.svg", "/app/picture.svg", "/app/assets/picture.svg"]) {
    const answer = await send("GET", path, { key });
    expect([path, await answer.text()]).not.toEqual([path, expect.stringContaining("alert")]);
    expect([path, answer.headers.get("content-type")]).not.toEqual([path, expect.stringMatching(/svg|xml/)]);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  }
});
