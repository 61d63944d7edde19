// What a dataset gets and gives: names, types, digits, errors, logs, and the order of a doc's datasets.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RunPlatformStandIn } from "../../support/node/sandbox/run-platform.ts";
import { aDataset, anOrder, startSandbox, type Sandbox } from "../../support/node/sandbox/sandbox.ts";

let platform: RunPlatformStandIn;
let sandbox: Sandbox;
beforeAll(async () => {
  platform = await new RunPlatformStandIn().start();
  sandbox = await startSandbox(platform);
  console.log(
    `The jail here: ${sandbox.jail.kind}${sandbox.jail.strong ? "" : " (weak)"}, without: ${sandbox.jail.lacks.join("; ") || "nothing"}.`,
  );
}, 360_000);
afterAll(async () => {
  await sandbox.stop();
  await platform.stop();
});

const storedText = (executionId: string) => platform.objects.get(`team/results/${executionId}`)?.toString();

describe("the variable result", () => {
  it.each([
    ["a scalar", "result = 42", "42"],
    ["an integer of any width", "result = 2**70 + 1", "1180591620717411303425"],
    [
      "a decimal",
      "import decimal\nresult = {'price': decimal.Decimal('12345678901234567890.10')}",
      '{"price":12345678901234567890.10}',
    ],
    ["a float that is no number", "result = [float('nan'), float('-inf'), 0.1]", '["NaN","-Infinity",0.1]'],
    [
      "times and bytes",
      "import datetime as d\nresult = [d.date(2026, 1, 31), d.datetime(2026, 1, 31, 10, tzinfo=d.timezone.utc), b'\\x00\\xff']",
      '["2026-01-31","2026-01-31T10:00:00+00:00","AP8="]',
    ],
    [
      "values of numpy",
      "import numpy as np\nresult = {'a': np.int64(9007199254740993), 'b': np.array([1, 2]), 'c': np.bool_(True)}",
      '{"a":9007199254740993,"b":[1,2],"c":true}',
    ],
    ["records of mixed types", "result = [{'a': 1}, {'a': 'x'}]", '[{"a":1},{"a":"x"}]'],
  ])("is kept as JSON, exactly: %s", async (_name, code, expected) => {
    const report = await sandbox.python(code);
    expect(report).toMatchObject({ success: true, error: null, result: { kind: "json" } });
    expect(storedText(report.executionId)).toBe(expected);
  });

  it("may be nothing", async () => {
    expect(await sandbox.python("x = 1")).toMatchObject({
      success: true,
      result: { kind: "none", bytes: 0, path: null },
    });
  });

  it("is kept as an Arrow stream with its types when it is a frame", async () => {
    const report = await sandbox.python(`
import pandas as pd, decimal
result = pd.DataFrame({
  "n": pd.array([2**53 + 1, None], dtype="Int64"),
  "d": [decimal.Decimal("1.10"), None],
  "t": pd.to_datetime(["2026-01-31T10:00:00Z", None], utc=True),
  "l": [[1, 2], None],
})`);
    expect(report.result).toMatchObject({ kind: "frame", rows: 2 });
    const types = Object.fromEntries(report.result!.columns!.map(({ name, type }) => [name, type]));
    expect(types).toMatchObject({ n: "int64", d: "decimal128(3, 2)", l: "list<item: int64>" });
    expect(types.t).toMatch(/^timestamp\[\w+, tz=UTC\]$/);
  });

  it("keeps named indexes and labels as columns, drops a mere row number, and renames columns of the same name", async () => {
    const names = async (code: string) => (await sandbox.python(code)).result!.columns!.map(({ name }) => name);
    expect(
      await names("import pandas as pd\nresult = pd.DataFrame({'k': ['a', 'b'], 'v': [1, 2]}).groupby('k').sum()"),
    ).toEqual(["k", "v"]);
    expect(await names("import pandas as pd\nresult = pd.DataFrame([[1, 2]], columns=['a', 'a'])")).toEqual([
      "a",
      "a_2",
    ]);
    expect(
      await names(
        "import pandas as pd\nresult = pd.DataFrame({'k': ['a'], 'v': [1]}).groupby('k').agg({'v': ['sum', 'mean']})",
      ),
    ).toEqual(["k", "v_sum", "v_mean"]);
    expect(await names("import pandas as pd\nresult = pd.DataFrame({'v': [1, 2]}).describe()")).toEqual(["index", "v"]);
    expect(
      await names("import pandas as pd\nresult = pd.DataFrame({'v': [3, 1, 2]}).sort_values('v').iloc[1:]"),
    ).toEqual(["v"]);
    expect(await names("import pandas as pd\nresult = pd.DataFrame([[1, 2, 3]], columns=['a', 'a', 'a_2'])")).toEqual([
      "a",
      "a_3",
      "a_2",
    ]);
    expect(await names("import pandas as pd\nresult = pd.Series([1, 2])")).toEqual(["value"]);
    expect(await names("result = [{'a': 1}, {'a': 2, 'b': 'x'}]")).toEqual(["a", "b"]);
  });

  it("is described within bounds, however long the names and types of its columns are", async () => {
    const report = await sandbox.python(
      "import pandas as pd\nrow = {f'field {n}': n for n in range(2_000)}\nresult = pd.DataFrame({'é' * 5_000 + str(n): [row] for n in range(20)})",
    );
    expect(report).toMatchObject({ success: true, error: null, result: { kind: "frame", rows: 1 } });
    expect(JSON.stringify(report.result!.columns).length).toBeLessThan(20 * 1_000);
  });

  it.each([
    ["an object that says nothing", "result = object()", /can't be stored/],
    ["a column of two types", "import pandas as pd\nresult = pd.DataFrame({'mixed': [1, 'x', object()]})", /'mixed'/],
    ["a list that holds itself", "result = []\nresult.append(result)", /contains itself/],
  ])("is refused with a reason: %s", async (_name, code, message) => {
    expect(await sandbox.python(code)).toMatchObject({
      success: false,
      error: expect.stringMatching(message),
      result: null,
    });
  });
});

describe("what the code defines", () => {
  it("is found where Python looks for it: in the module __main__", async () => {
    const code = `
from __future__ import annotations
import dataclasses, pickle, typing
@dataclasses.dataclass
class Part:
    name: str
@dataclasses.dataclass
class Whole:
    parts: list[Part]
hints = typing.get_type_hints(Whole)
result = [pickle.loads(pickle.dumps(Part("a"))).name, str(hints["parts"]), __name__]`;
    const report = await sandbox.python(code);
    expect(report.error).toBeNull();
    expect(storedText(report.executionId)).toBe('["a","list[__main__.Part]","__main__"]');
  });
});

describe("an error", () => {
  it("is returned however long it is, and in whatever alphabet", async () => {
    const report = await sandbox.python("raise ValueError('\\U0001f600' * 100_000)");
    expect(report).toMatchObject({ success: false, error: expect.stringMatching(/^ValueError: \u{1f600}/u) });
  });

  it("is the exception with the author's line, and a traceback of the author's code alone", async () => {
    const report = await sandbox.python("def divide(x):\n    return 1 / x\n\ndivide(0)\n", { key: "ratio" });
    expect(report).toMatchObject({ success: false, error: "ZeroDivisionError: division by zero (line 2)" });
    expect(report.traceback).toContain('File "ratio", line 4');
    expect(report.traceback).not.toContain("dataset.py");
  });

  it.each([
    ["syntax", "x = = 1", /^SyntaxError: .* \(line 1\)$/],
    ["a missing module", "import nothing_of_the_kind", /^ModuleNotFoundError: .* \(line 1\)$/],
    ["an exit with a code", "import sys\nsys.exit(3)", /^SystemExit: 3 \(line 2\)$/],
    ["a process that ends itself", "import os\nos._exit(0)", /ended itself/],
  ])("is told: %s", async (_name, code, message) => {
    expect(await sandbox.python(code)).toMatchObject({ success: false, error: expect.stringMatching(message) });
  });

  it("is not what leaving early without one is", async () => {
    expect(await sandbox.python("import sys\nresult = 1\nsys.exit()")).toMatchObject({ success: true });
  });
});

it("is reported by the dataset's own process, not by children it forked", async () => {
  const report = await sandbox.python(
    "import os, time\nif os.fork() == 0:\n    result = 'child'\nelse:\n    os.wait()\n    time.sleep(0.2)\n    result = 'parent'",
  );
  expect(report.error).toBeNull();
  expect(storedText(report.executionId)).toBe('"parent"');
});

describe("the datasets of a doc", () => {
  it("hand frames on with exact types, and other values as they were", async () => {
    const { outcome, datasets } = await sandbox.run([
      aDataset(
        "assert frame['n'].tolist()[0] == 2**53 + 1 and str(frame['n'].dtype) == 'Int64', frame\nassert str(frame['t'].dt.tz) == 'UTC'\nassert value == {'a': [1, 2]} and nothing is None\nresult = len(frame)",
        {
          key: "last",
          inputs: [
            { ref: "first", as: "frame" },
            { ref: "value", as: "value" },
            { ref: "nothing", as: "nothing" },
          ],
        },
      ),
      aDataset(
        "import pandas as pd\nresult = pd.DataFrame({'n': pd.array([2**53 + 1, None], dtype='Int64'), 't': pd.to_datetime(['2026-01-31T10:00:00Z', None], utc=True)})",
        { key: "first" },
      ),
      aDataset("result = {'a': [1, 2]}", { key: "value" }),
      aDataset("pass", { key: "nothing" }),
    ]);
    expect(datasets.map(({ error }) => error)).toEqual([null, null, null, null]);
    expect(outcome).toBe("succeeded");
    expect(storedText(datasets[0]!.executionId)).toBe("2");
  });

  it("hand on what pandas has beside Arrow's types: periods, intervals, the ranges of `cut`, sparse columns", async () => {
    const { datasets } = await sandbox.run([
      aDataset(
        "assert [str(one) for one in frame.dtypes] == ['period[M]', 'interval[int64, right]', 'category', 'int64'], frame.dtypes\nassert frame['c'].tolist() == ['(0.999, 1.5]', '(1.5, 2.0]'], frame\nassert str(frame['p'][0]) == '2026-01'",
        { key: "last", inputs: [{ ref: "first", as: "frame" }] },
      ),
      aDataset(
        "import pandas as pd\nresult = pd.DataFrame({'p': pd.period_range('2026-01', periods=2, freq='M'), 'i': pd.interval_range(0, 2), 'c': pd.cut([1, 2], 2), 's': pd.arrays.SparseArray([0, 1])})",
        { key: "first" },
      ),
    ]);
    expect(datasets.map(({ error }) => error)).toEqual([null, null]);
  });

  it("get a frame of any records, mixed or none, and integers where SQL's are wider than most need", async () => {
    const { datasets } = await sandbox.run([
      aDataset(
        "assert mixed.shape == (2, 1) and none.shape == (0, 0), (mixed, none)\nassert str(sums['fits'].dtype) == 'Int64' and sums['fits'].tolist()[0] == 2**53 + 1, sums\nassert sums['wide'].tolist() == [10**37, 1], sums\nassert sums['wide'][0] == 10**37",
        {
          key: "last",
          inputs: [
            { ref: "mixed", as: "mixed" },
            { ref: "none", as: "none" },
            { ref: "sums", as: "sums" },
          ],
        },
      ),
      aDataset("result = [{'a': 1}, {'a': 'x'}]", { key: "mixed" }),
      aDataset("result = []", { key: "none" }),
      aDataset(
        "import pyarrow as pa\nresult = pa.table({'fits': pa.array([2**53 + 1, None], pa.decimal128(38, 0)), 'wide': pa.array([10**37, 1], pa.decimal128(38, 0))})",
        { key: "sums" },
      ),
    ]);
    expect(datasets.map(({ error }) => error)).toEqual([null, null, null, null]);
  });

  it("take frames from the platform's queries, asked with the run's key", async () => {
    const made = await sandbox.python("import pandas as pd\nresult = pd.DataFrame({'n': [1, 2, 3]})");
    platform.results.set("SELECT n", platform.objects.get(`team/results/${made.executionId}`)!);
    const sql = {
      engine: "sql" as const,
      key: "numbers",
      executionId: crypto.randomUUID(),
      dependsOn: [],
      timeoutMs: 10_000,
      sql: "SELECT n",
      integrationId: null,
    };
    const { datasets } = await sandbox.run([
      sql,
      aDataset("result = int(numbers['n'].sum())", { inputs: [{ ref: "numbers", as: "numbers" }] }),
    ]);
    expect(datasets.map(({ error }) => error)).toEqual([null, null]);
    expect(storedText(datasets[1]!.executionId)).toBe("6");
  });

  it("take nothing from a statement that was committed and whose answer was lost, which has succeeded", async () => {
    platform.written.add("INSERT INTO t VALUES (1)");
    const sql = {
      ...{ engine: "sql" as const, key: "insert", executionId: crypto.randomUUID(), dependsOn: [] },
      ...{ timeoutMs: 10_000, sql: "INSERT INTO t VALUES (1)", integrationId: null },
    };
    const { datasets } = await sandbox.run([
      sql,
      aDataset("result = insert is None", { inputs: [{ ref: "insert", as: "insert" }] }),
    ]);
    expect(datasets.map(({ error }) => error)).toEqual([null, null]);
    expect(datasets[0]!.result).toMatchObject({ kind: "none", path: null });
    expect(storedText(datasets[1]!.executionId)).toBe("true");
  });

  it("take frames from semantic queries, whose columns are called as their members", async () => {
    const made = await sandbox.python(
      "import pandas as pd\nresult = pd.DataFrame({'orders.created.month': pd.to_datetime(['2026-01-01', '2026-02-01']), 'orders.count': [3, 4]})",
    );
    const query = {
      measures: ["orders.count"],
      timeDimensions: [{ dimension: "orders.created", granularity: "month" }],
    };
    platform.results.set(JSON.stringify(query), platform.objects.get(`team/results/${made.executionId}`)!);
    const cube = {
      engine: "cube" as const,
      key: "by_month",
      executionId: crypto.randomUUID(),
      dependsOn: [],
      timeoutMs: 10_000,
      query,
      integrationId: null,
    };
    const { datasets } = await sandbox.run([
      cube,
      aDataset("last = by_month.sort_values('orders.created.month').iloc[-1]\nresult = int(last['orders.count'])", {
        inputs: [{ ref: "by_month", as: "by_month" }],
      }),
      { ...cube, key: "unknown", executionId: crypto.randomUUID(), query: { measures: ["orders.nope"] } },
    ]);
    expect(datasets.map(({ error }) => error)).toEqual([
      null,
      null,
      'Something went wrong: no {"measures":["orders.nope"]}',
    ]);
    expect(storedText(datasets[1]!.executionId)).toBe("4");
  });

  it("take a query's decimals with a fraction as floats, which one another's stay decimals", async () => {
    const made = await sandbox.python(
      "import pyarrow as pa\nfrom decimal import Decimal\nresult = pa.table({'price': pa.array([Decimal('1.10'), None], pa.decimal128(18, 2)), 'whole': pa.array([7, 8], pa.decimal128(20, 0))})",
    );
    platform.results.set("SELECT price", platform.objects.get(`team/results/${made.executionId}`)!);
    const sql = {
      engine: "sql" as const,
      key: "prices",
      executionId: crypto.randomUUID(),
      dependsOn: [],
      timeoutMs: 10_000,
      sql: "SELECT price",
      integrationId: null,
    };
    const { datasets } = await sandbox.run([
      sql,
      aDataset(
        "assert str(prices['price'].dtype) == 'float64' and prices['whole'].tolist() == [7, 8], prices.dtypes\nfrom decimal import Decimal\nimport pandas as pd\nresult = pd.DataFrame({'x': prices['price'] * 1.5, 'd': [Decimal('1.10')] * 2})",
        { key: "by", inputs: [{ ref: "prices", as: "prices" }] },
      ),
      aDataset("from decimal import Decimal\nresult = [by['x'].sum(), by['d'].tolist() == [Decimal('1.10')] * 2]", {
        key: "then",
        inputs: [{ ref: "by", as: "by" }],
      }),
    ]);
    expect(datasets.map(({ error }) => error)).toEqual([null, null, null]);
    expect(storedText(datasets[2]!.executionId)).toBe("[1.6500000000000001,true]");
  });

  it("are not run when what they need has failed", async () => {
    const { outcome, datasets } = await sandbox.run([
      {
        engine: "sql",
        key: "broken",
        executionId: crypto.randomUUID(),
        dependsOn: [],
        timeoutMs: 10_000,
        sql: "SELECT oops",
        integrationId: null,
      },
      aDataset("result = 1", { key: "after", dependsOn: ["broken"] }),
      aDataset("result = 1", { key: "beside" }),
      aDataset("result = 1", { key: "last", dependsOn: ["after", "beside"] }),
    ]);
    expect(outcome).toBe("failed");
    expect(datasets.map(({ success, skipped }) => [success, skipped])).toEqual([
      [false, false],
      [false, true],
      [true, false],
      [false, true],
    ]);
    expect(datasets[0]!.error).toBe("Something went wrong: no SELECT oops");
    // Whoever asked for the last alone learns the first reason.
    const why = "Not run: broken, which it needs, failed: Something went wrong: no SELECT oops";
    expect(datasets.map(({ error }) => error)).toEqual([datasets[0]!.error, why, null, why]);
  });

  it("are reported one by one, and once at the end, though the platform fails at first", async () => {
    platform.failingFinishes = 2;
    const { runId } = await sandbox.run([aDataset("result = 1")]);
    expect(platform.finished.filter((report) => report.runId === runId)).toHaveLength(1);
  });

  it("are not read twice: the same order again gets the same report", async () => {
    const order = anOrder([aDataset("result = 1")]);
    const post = async () => (await sandbox.call("POST", `/runs/${order.runId}`, JSON.stringify(order))).json();
    const [first, second] = await Promise.all([post(), post()]);
    expect(second).toEqual(first);
    expect(platform.finished.filter(({ runId }) => runId === order.runId)).toHaveLength(1);
  });
});

describe("a run", () => {
  it("ends when it is cancelled, and says so", async () => {
    const order = anOrder([aDataset("print('here', flush=True)\nimport time\ntime.sleep(60)", { timeoutMs: 60_000 })]);
    const answer = sandbox.call("POST", `/runs/${order.runId}`, JSON.stringify(order));
    await expect.poll(() => platform.text(order.datasets[0]!.executionId), { timeout: 20_000 }).toEqual(["here"]);
    expect((await sandbox.call("DELETE", `/runs/${order.runId}`)).status).toBe(204);
    expect(await (await answer).json()).toMatchObject({
      outcome: "cancelled",
      datasets: [{ success: false, error: "The run was cancelled." }],
    });
  });

  it("says that it lives before the first interval is over, so that its loss is noticed early", async () => {
    const runId = crypto.randomUUID();
    await sandbox.run([aDataset("import time\ntime.sleep(2.5)")], { runId });
    expect(platform.asked).toContain(`POST /internal/runs/${runId}/heartbeat`);
  });

  it("ends when the platform says so at a heartbeat", async () => {
    platform.cancels = true;
    try {
      expect(await sandbox.run([aDataset("import time\ntime.sleep(60)", { timeoutMs: 60_000 })])).toMatchObject({
        outcome: "cancelled",
      });
    } finally {
      platform.cancels = false;
    }
  });

  it("ends at its deadline", async () => {
    expect(
      await sandbox.run([aDataset("import time\ntime.sleep(60)", { timeoutMs: 60_000 })], { deadlineMs: 3_000 }),
    ).toMatchObject({ outcome: "timed_out" });
  });
});

describe("what a dataset prints", () => {
  it("arrives while it runs, by stream and line, to the last line without an end", async () => {
    const dataset = aDataset("import sys\nprint('one')\nprint('two', file=sys.stderr)\nprint('three ✓', end='')");
    await sandbox.run([dataset]);
    expect(platform.text(dataset.executionId)).toEqual(["one", "three ✓"]);
    expect(platform.text(dataset.executionId, "stderr")).toEqual(["two"]);
  });

  it("is cut at its bounds, and the dataset runs on", async () => {
    const dataset = aDataset("for i in range(50_000): print('line', i)\nprint('x' * 3_000_000)\nresult = 'done'");
    const { datasets } = await sandbox.run([dataset]);
    expect(datasets[0]).toMatchObject({ success: true });
    expect(platform.text(dataset.executionId).length).toBeLessThanOrEqual(10_000);
    expect(platform.text(dataset.executionId, "system").join()).toMatch(/The log ends here/);
  });
});
