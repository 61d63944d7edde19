// The answers that Trino's JDBC driver is to have of a table with a column of each type. Its figures of columns are
// those of a Trino 476 for columns of these types.

/** A column's name, JDBC's number of its type, the type, its size, digits of a fraction, radix, remark, and bytes. */
export const COLUMNS = [
  ["i32", 4, "integer", 10, null, 10, "Its key", null],
  ["i8", -6, "tinyint", 3, null, 10, null, null],
  ["i16", 5, "smallint", 5, null, 10, null, null],
  ["i64", -5, "bigint", 19, null, 10, null, null],
  ["f32", 7, "real", 24, null, 2, null, null],
  ["f64", 8, "double", 53, null, 2, null, null],
  ["dec", 3, "decimal(10,2)", 10, 2, 10, null, null],
  ["wide", 3, "decimal(38,9)", 38, 9, 10, null, null],
  ["ok", 16, "boolean", null, null, null, null, null],
  ["txt", 12, "varchar", 2147483647, null, null, null, 2147483647],
  ["bin", -3, "varbinary", 2147483647, null, null, null, 2147483647],
  ["id", 2000, "uuid", null, null, null, null, null],
  ["day", 91, "date", 14, null, null, null, null],
  ["clock", 92, "time(6)", 15, 6, null, null, null],
  ["ts", 93, "timestamp(6)", 28, 6, null, null, null],
  ["tz", 2014, "timestamp(6) with time zone", 62, 6, null, null, null],
  ["list", 2003, "array(integer)", null, null, null, null, null],
  ["parts", 2000, "row(a integer, b varchar)", null, null, null, null, null],
  ["doc", 12, "varchar", 2147483647, null, null, null, 2147483647],
  ["pairs", 2000, "map(varchar, bigint)", null, null, null, null, null],
];

/** What the driver itself does not do, whatever it is connected to. */
export const PROBLEMS = {
  getExportedKeys: "refused: SQLFeatureNotSupportedException: exported keys not supported",
  getCrossReference: "refused: SQLFeatureNotSupportedException: cross reference not supported",
  getBestRowIdentifier: "refused: SQLFeatureNotSupportedException: row identifiers not supported",
  getVersionColumns: "refused: SQLFeatureNotSupportedException: version columns not supported",
  getIndexInfo: "refused: SQLFeatureNotSupportedException: indexes not supported",
  getFunctions: "refused: NotImplementedException: Method DatabaseMetaData.getFunctions is not yet implemented",
  getFunctionColumns:
    "refused: NotImplementedException: Method DatabaseMetaData.getFunctionColumns is not yet implemented",
  getTablePrivileges: "refused: SQLFeatureNotSupportedException: privileges not supported",
  getColumnPrivileges: "refused: SQLFeatureNotSupportedException: privileges not supported",
};

const NULLS: [string, string, number][] = [
  ["i8", "tinyint", -6],
  ["i16", "smallint", 5],
  ["i64", "bigint", -5],
  ["f32", "real", 7],
  ["f64", "double", 8],
  ["dec", "decimal(10,2)", 3],
  ["wide", "decimal(38,9)", 3],
  ["ok", "boolean", 16],
  ["txt", "varchar", 12],
  ["bin", "varbinary", -3],
  ["id", "uuid", 2000],
  ["day", "date", 91],
  ["clock", "time(6)", 92],
  ["ts", "timestamp(6)", 93],
  ["tz", "timestamp(6) with time zone", 2014],
  ["list", "array(integer)", 2003],
  ["parts", "row(a integer,b varchar)", 2000],
  ["doc", "varchar", 12],
  ["pairs", "map(varchar,bigint)", 2000],
];

/** Columns, each by its name, its type, JDBC's number of that, the value's class, the value, and its text. */
export const TYPED = [
  ["i32", "integer", 4, "Integer", 1, "1"],
  ["i8", "tinyint", -6, "Byte", "-128", "-128"],
  ["i16", "smallint", 5, "Short", "32767", "32767"],
  ["i64", "bigint", -5, "Long", "9223372036854775807", "9223372036854775807"],
  ["f32", "real", 7, "Float", "1.5", "1.5"],
  ["f64", "double", 8, "Double", "NaN", "NaN"],
  ["dec", "decimal(10,2)", 3, "BigDecimal", "12.34", "12.34"],
  ["wide", "decimal(38,9)", 3, "BigDecimal", "12345678901234567890.123456789", "12345678901234567890.123456789"],
  ["ok", "boolean", 16, "Boolean", true, "true"],
  ["txt", "varchar", 12, "String", 'é "x"', 'é "x"'],
  ["bin", "varbinary", -3, "byte[]", "bytes:[0, -1]", "0x00FF"],
  ["id", "uuid", 2000, "String", "00000000-0000-0000-0000-0000000000ab", "00000000-0000-0000-0000-0000000000ab"],
  ["day", "date", 91, "Date", "2024-02-29", "2024-02-29"],
  ["clock", "time(6)", 92, "Time", "10:11:12", "10:11:12.345678"],
  ["ts", "timestamp(6)", 93, "Timestamp", "2024-02-29 10:11:12.345678", "2024-02-29 10:11:12.345678"],
  [
    "tz",
    "timestamp(6) with time zone",
    2014,
    "Timestamp",
    "2024-02-29 08:11:12.345678",
    "2024-02-29 08:11:12.345678 UTC",
  ],
  ["list", "array(integer)", 2003, "TrinoArray", [1, null, 3], "[1, null, 3]"],
  ["parts", "row(a integer,b varchar)", 2000, "Row", "{a=1, b=x}", "{a=1, b=x}"],
  ["doc", "varchar", 12, "String", '{"a": 1}', '{"a": 1}'],
  ["pairs", "map(varchar,bigint)", 2000, "UnmodifiableMap", { a: 1 }, "{a=1}"],
  ["i32", "integer", 4, "Integer", 2, "2"],
  ...NULLS.map((column) => [...column, null, null, null]),
];
