"""Cells of a notebook, as IPython runs them."""

import json

from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "fjord")
found = {}
shell.user_ns["days"] = [1, 2]
shell.run_cell_magic("fjord", "orders --param country=NO -p least:integer=2 -p days:=days", """
  SELECT $country AS country, $least + 1 AS n, 2 IN ($days) AS is_in""")
found["frame"] = shell.user_ns["orders"].to_dict("records")
found["shown"] = shell.run_cell_magic("fjord", "", "SELECT 1 AS one").to_dict("records")
for line, cell in (("", "SELEC 1"), ("a b", "SELECT 1"), ("--param x", "SELECT 1"), ("-p x:=nothing", "SELECT $x")):
    try:
        shell.run_cell_magic("fjord", line, cell)
    except Exception as error:
        found[f"{line}: {cell}"] = [type(error).__name__, str(error).splitlines()[0][:60]]
print(json.dumps(found))
