// The clients' lists that have to name all of something of the platform.

import { expect, it } from "vitest";
import { PROBLEMS } from "../../src/core/problem.ts";
import { PARAMETER_TYPES } from "../../kernel/wire/parameter-types.ts";
import { textOf } from "../support/node/tidy/source-tree.ts";

it("knows each code of a failure in Python, and each type of a parameter", () => {
  const codes = textOf("clients/python/src/fjord/errors.py").match(/(?<=^ {4}")\w+(?=": )/gm);
  expect(codes).toEqual(Object.keys(PROBLEMS));
  const types = /^TYPES = \((.*)\)$/m.exec(textOf("clients/python/src/fjord/parameters.py"))![1];
  expect(types).toBe(PARAMETER_TYPES.map((type) => `"${type}"`).join(", "));
});
