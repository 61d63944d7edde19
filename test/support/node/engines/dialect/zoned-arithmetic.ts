// Statements that move, cut off and subtract moments in zones: offsets, and places at ordinary times of their clocks.

const ZONES = ["+02:00", "-05:30", "+00:00", "+14:00", "Europe/Berlin", "America/New_York", "Asia/Kolkata"];
const INSTANTS = [
  "2024-03-30 23:30:00.000",
  "2024-04-30 22:45:00.500",
  "2024-02-29 12:00:00.123456",
  "1999-12-31 23:59:59.999",
];
const [PARTS, DAYS] = [
  ["second", "minute", "hour"],
  ["day", "week", "month", "quarter", "year"],
];

const moment = (instant: string, zone: string): string => `(TIMESTAMP '${instant} UTC' AT TIME ZONE '${zone}')`;

function ofMoment(instant: string, zone: string): string[] {
  const z = moment(instant, zone);
  const all = (write: (unit: string) => string, units = [...PARTS, ...DAYS]): string =>
    `SELECT ${units.map((unit) => `${write(unit)} AS ${unit}_`).join(", ")}`;
  return [
    all((unit) => `date_trunc('${unit}', ${z})`),
    all((unit) => `date_add('${unit}', -25, ${z})`, ["millisecond", ...PARTS, "day", "week"]),
    all((unit) => `date_add('${unit}', 3, ${z})`),
    all((unit) => `date_diff('${unit}', ${z}, ${moment("2024-04-01 22:15:00.000", "America/Chicago")})`),
    all((unit) => `date_diff('${unit}', ${moment("2024-01-31 14:30:00", "Asia/Tokyo")}, ${z})`),
    `SELECT ${z} + INTERVAL '1' DAY AS d, ${z} - INTERVAL '5' HOUR AS h, ${z} + INTERVAL '1' MONTH AS m, hour(${z}) AS c`,
  ];
}

export const ZONED_ARITHMETIC: readonly string[] = [
  ...ZONES.flatMap((zone) => INSTANTS.flatMap((instant) => ofMoment(instant, zone))),
  `SELECT date_format(${moment("2024-03-31 00:59:59.999999", "Europe/Berlin")}, '%H:%i') AS v`,
  `SELECT date_trunc('day', z) AS v, count(*) AS n FROM (SELECT ${moment("2024-07-01 22:30:00", "Europe/Berlin")} AS z) q GROUP BY 1`,
];
