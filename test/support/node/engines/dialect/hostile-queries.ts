// Queries over the same values: orders, groups, joins, set operations, aggregates and windows of every type.

import { COLUMNS } from "./hostile-expressions.ts";

const ORDERS = ["", " DESC", " NULLS FIRST", " DESC NULLS FIRST"];
const FRAMES = [
  "ROWS BETWEEN 2 PRECEDING AND CURRENT ROW",
  "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
  "ROWS UNBOUNDED PRECEDING",
  "ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING",
  "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
  "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
];

const ofEach = (a: string): string[] => [
  `SELECT count(${a}), count(DISTINCT ${a}), min(${a}), max(${a}) FROM t`,
  `SELECT bo, min(${a}), max(${a}) FROM t GROUP BY bo ORDER BY bo`,
  `SELECT max(${a}) FILTER (WHERE rn = 4), min(${a}) FILTER (WHERE rn IN (4, 6)), max(${a}) FILTER (WHERE rn = 6) FROM t`,
  `SELECT min_by(rn, ${a}), max_by(rn, ${a}) FROM t`,
  ...ORDERS.flatMap((order) => [
    `SELECT ${a}, count(*) FROM t GROUP BY ${a} ORDER BY ${a}${order}`,
    `SELECT DISTINCT ${a} FROM t ORDER BY 1${order}`,
    `SELECT ${a} AS x FROM t UNION SELECT ${a} FROM t ORDER BY x${order}`,
    `SELECT rn FROM t ORDER BY ${a}${order}, rn`,
    `SELECT rn, ${a} AS x FROM t ORDER BY x${order}, 1 DESC LIMIT 4`,
    `SELECT rn, rank() OVER (ORDER BY ${a}${order}), dense_rank() OVER (ORDER BY ${a}${order}) FROM t ORDER BY 1`,
    `SELECT rn, percent_rank() OVER (ORDER BY ${a}${order}), cume_dist() OVER (ORDER BY ${a}${order}), ` +
      `ntile(3) OVER (ORDER BY ${a}${order}, rn) FROM t ORDER BY 1`,
  ]),
  `SELECT x.rn, y.rn FROM t x JOIN t y ON x.${a} = y.${a} ORDER BY 1, 2`,
  `SELECT x.rn, y.rn FROM t x LEFT JOIN t y ON x.${a} < y.${a} ORDER BY 1, 2`,
  `SELECT rn FROM t JOIN (SELECT ${a} FROM t WHERE rn > 3) u USING (${a}) ORDER BY 1`,
  `SELECT ${a} FROM t INTERSECT SELECT ${a} FROM t WHERE rn > 3 ORDER BY 1`,
  `SELECT ${a} FROM t EXCEPT SELECT ${a} FROM t WHERE rn > 3 ORDER BY 1`,
  `SELECT rn FROM t WHERE ${a} IN (SELECT ${a} FROM t WHERE rn > 3) ORDER BY 1`,
  `SELECT rn FROM t WHERE ${a} NOT IN (SELECT ${a} FROM t WHERE rn IN (1, 4)) ORDER BY 1`,
  `SELECT rn, lag(${a}) OVER (ORDER BY rn), lead(${a}) OVER (ORDER BY rn), first_value(${a}) OVER (ORDER BY rn), ` +
    `last_value(${a}) OVER (ORDER BY rn) FROM t ORDER BY 1`,
  `SELECT rn, lag(${a}, 2) OVER (ORDER BY rn), lead(${a}, 2, ${a}) OVER (ORDER BY rn), nth_value(${a}, 2) OVER (ORDER BY rn) ` +
    "FROM t ORDER BY 1",
  `SELECT rn, min(${a}) OVER (PARTITION BY bo ORDER BY rn), count(*) OVER (PARTITION BY ${a}) FROM t ORDER BY 1`,
  ...FRAMES.flatMap((frame) => [
    `SELECT rn, max(${a}) OVER (ORDER BY rn ${frame}), count(${a}) OVER (ORDER BY rn ${frame}) FROM t ORDER BY 1`,
    `SELECT rn, count(*) OVER (ORDER BY ${a} ${frame}) FROM t WHERE rn < 3 ORDER BY 1`,
  ]),
  `SELECT bo, ${a}, count(*) FROM t GROUP BY ROLLUP (bo, ${a}) ORDER BY 1, 2, 3`,
  `SELECT array_agg(${a} ORDER BY rn) FROM t`,
  `SELECT approx_distinct(${a}), approx_distinct(${a}, 0.01) FROM t`,
  `SELECT bo, approx_distinct(${a}) FILTER (WHERE rn > 2) FROM t GROUP BY bo ORDER BY bo`,
];

const ofNumbers = (a: string): string[] =>
  ["true", "rn > 100", "rn IN (7, 8, 9)", "rn IN (1, 2)", "rn = 7"].flatMap((where) => [
    `SELECT sum(${a}), avg(${a}) FROM t WHERE ${where}`,
    `SELECT sum(DISTINCT ${a}) FROM t WHERE ${where}`,
    `SELECT bo, sum(${a}), avg(${a}) FROM t WHERE ${where} GROUP BY bo ORDER BY bo`,
    `SELECT rn, sum(${a}) OVER (ORDER BY rn), avg(${a}) OVER (PARTITION BY bo ORDER BY rn) FROM t WHERE ${where} ORDER BY rn`,
    `SELECT approx_percentile(${a}, 0.5), approx_percentile(${a}, ARRAY[0, 0.25, 0.9, 1]) FROM t WHERE ${where}`,
    `SELECT bo, approx_percentile(${a}, 0.5) FROM t WHERE ${where} GROUP BY bo ORDER BY bo`,
    `SELECT stddev(${a}), variance(${a}), stddev_pop(${a}), var_pop(${a}) FROM t WHERE ${where}`,
  ]);

const OTHERS = [
  "SELECT count_if(bo), bool_and(bo), bool_or(bo), every(bo) FROM t",
  "SELECT count(*) FILTER (WHERE i > 0) FROM t",
  "SELECT bo FROM t GROUP BY bo HAVING count(*) > 2 ORDER BY 1",
  "SELECT rn FROM t ORDER BY 1 LIMIT 3",
  "SELECT rn FROM t ORDER BY 1 OFFSET 2 LIMIT 3",
  "SELECT rn FROM t ORDER BY 1 FETCH FIRST 2 ROWS ONLY",
  "SELECT a.rn, b.rn FROM t a CROSS JOIN t b WHERE a.rn + b.rn = 5 ORDER BY 1",
  "SELECT rn, c FROM t FULL JOIN (VALUES (1, 'x'), (99, 'y')) v(rn, c) USING (rn) ORDER BY 1",
  "SELECT rn, c FROM t RIGHT JOIN (VALUES (1, 'x'), (99, 'y')) v(rn, c) USING (rn) ORDER BY 1",
  "SELECT i + 1 AS j FROM t WHERE rn < 4 AND i + 1 > 5 ORDER BY j",
  "SELECT * FROM t WHERE rn = 1",
  "SELECT x.* FROM t x WHERE rn = 6",
  "SELECT count(*) FROM t WHERE f = f",
  "SELECT rn FROM t WHERE f > 1e0 ORDER BY 1",
  "SELECT rn FROM t WHERE f BETWEEN 0e0 AND 3e0 ORDER BY 1",
  "SELECT rn FROM t WHERE f IN (1e0, 2.5e0, nan()) ORDER BY 1",
  "SELECT rn FROM t WHERE s > 'a' ORDER BY 1",
  "SELECT rn, row_number() OVER (ORDER BY f DESC, rn) FROM t ORDER BY 1",
  "SELECT rn FROM t WHERE NOT (f > 1e0) ORDER BY 1",
  "SELECT rn FROM t WHERE f NOT BETWEEN 0e0 AND 3e0 ORDER BY 1",
  "SELECT CASE f WHEN 1e0 THEN 'one' ELSE 'other' END FROM t ORDER BY rn",
];

export const QUERIES: readonly string[] = [
  ...COLUMNS.flatMap(ofEach),
  ...["i", "b", "d", "f"].flatMap(ofNumbers),
  ...OTHERS,
];
