// Runs in the cache folder that has the tools: lints the document on standard input, and writes its TypeScript types.

import { writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectralCore from "@stoplight/spectral-core";
import parsers from "@stoplight/spectral-parsers";
import rulesets from "@stoplight/spectral-rulesets";
import openapiTypes, { astToString } from "openapi-typescript";

const [typesFile] = process.argv.slice(2);
const source = await text(process.stdin);

const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [rulesets.oas] });
const bySpectral = await spectral.run(new spectralCore.Document(source, parsers.Json, "openapi.json"));

const config = await createConfig({ extends: ["recommended"] });
const byRedocly = await lintFromString({ source, absoluteRef: "openapi.json", config });

writeFileSync(typesFile, astToString(await openapiTypes(source)));
console.log(
  JSON.stringify({
    spectral: bySpectral.map(({ code, message, path }) => `${code}: ${message} (${path.join("/")})`),
    redocly: byRedocly.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`),
  }),
);
