// The yardstick's page: hightable shows the rows that the console shows, from the same Arrow stream, by its own
// settings. The address says how large it is: as large as the console's grid.

import HighTable from "hightable";
import "hightable/src/HighTable.css";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { readArrowSource } from "../../../../src/console/ui/grid/arrow-result.ts";

const answer = await fetch("/rows.arrow");
const source = readArrowSource(new Uint8Array(await answer.arrayBuffer()));
const places = new Map(source.columns.map(({ name }, at) => [name, at]));
const data = {
  columnDescriptors: source.columns.map(({ name }) => ({ name })),
  numRows: source.rowCount,
  getRowNumber: ({ row }) => ({ value: row }),
  getCell: ({ row, column }) => ({ value: source.text(row, places.get(column)) }),
};
const size = new URLSearchParams(location.search);
const table = document.querySelector("#table");
table.style.width = `${size.get("width")}px`;
table.style.height = `${size.get("height")}px`;
createRoot(table).render(createElement(HighTable, { data }));
