import { expect, it } from "vitest";
import { apiParameters, declaredParameters } from "../../../../src/console/screens/query/text/parameters.ts";

it("sends values as text with the type that they look like, so that none is rounded", () => {
  const auto = (text: string, isList = false) => ({ type: "auto" as const, text, isList });
  const values = { id: auto("900719925474099312"), price: auto("0.10"), name: auto("a, b"), ids: auto("1, 2", true) };
  expect(apiParameters(["id", "price", "name", "ids"], values)).toEqual({
    id: { type: "integer", value: "900719925474099312" },
    price: { type: "decimal", value: "0.10" },
    name: "a, b",
    ids: { type: "integer", value: ["1", "2"] },
  });
  expect(apiParameters([], values)).toBeUndefined();
  expect(apiParameters(["x"], { x: { type: "date", text: "", isNull: true } })).toEqual({
    x: { type: "date", value: null },
  });
});

it("declares only what the text names", () => {
  expect(declaredParameters("select $a", { a: { type: "auto", text: "1" }, b: { type: "text", text: "" } })).toEqual({
    a: { type: "integer" },
  });
});
