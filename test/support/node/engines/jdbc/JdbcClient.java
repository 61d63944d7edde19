// Trino's JDBC driver, as a program uses it: `java -cp <driver> JdbcClient.java <url> <key>` prints one line of JSON for
// each of its scenarios, the name and what was seen.

import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

public class JdbcClient {
  interface Scenario {
    Object see(Connection connection) throws Exception;
  }

  static final Map<String, Scenario> SCENARIOS = new LinkedHashMap<>();

  static {
    SCENARIOS.put("metadata", connection -> metadata(connection.getMetaData()));
    SCENARIOS.put("types", JdbcClient::types);
    SCENARIOS.put("prepared", JdbcClient::prepared);
    SCENARIOS.put("maxRows", JdbcClient::maxRows);
    SCENARIOS.put("pages", JdbcClient::pages);
    SCENARIOS.put("cancelled", JdbcClient::cancelled);
    SCENARIOS.put("valid", connection -> List.of(connection.isValid(10), connection.getMetaData().getDatabaseProductVersion()));
    SCENARIOS.put("writes", JdbcClient::writes);
    SCENARIOS.put("refused", JdbcClient::refused);
    SCENARIOS.put("transaction", JdbcClient::transaction);
  }

  public static void main(String[] arguments) {
    for (Map.Entry<String, Scenario> each : SCENARIOS.entrySet()) {
      Object seen;
      try (Connection connection = connect(arguments[0], arguments[1])) {
        seen = each.getValue().see(connection);
      } catch (Throwable error) {
        seen = Map.of("error", String.valueOf(error));
      }
      System.out.println(json(List.of(each.getKey(), seen)));
    }
    try (Connection connection = connect(arguments[0], "no-key")) {
      rowsOf(connection.createStatement().executeQuery("SELECT 1"));
      System.out.println(json(List.of("stranger", "reads")));
    } catch (SQLException error) {
      System.out.println(json(List.of("stranger", error.getMessage())));
    }
    System.exit(0);
  }

  static Connection connect(String url, String key) throws SQLException {
    Properties properties = new Properties();
    properties.put("user", "ada");
    properties.put("password", key);
    properties.put("SSL", "true");
    properties.put("SSLVerification", "NONE");
    return DriverManager.getConnection(url, properties);
  }

  interface Call {
    ResultSet ask() throws SQLException;
  }

  /** The rows of each call; a call that the driver itself refuses is named with the refusal. */
  static Object metadata(DatabaseMetaData of) {
    String[] t = {"lake", "jdbc_test", "types"};
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("getCatalogs", of::getCatalogs);
    calls.put("getSchemas", of::getSchemas);
    calls.put("getSchemas of", () -> of.getSchemas("lake", "jdbc\\_%"));
    calls.put("getTableTypes", of::getTableTypes);
    calls.put("getTables", () -> of.getTables("lake", "jdbc\\_test", "%", new String[] {"TABLE", "VIEW"}));
    calls.put("getTables of any", () -> of.getTables(null, null, "ty%", null));
    calls.put("getColumns", () -> of.getColumns("lake", "jdbc\\_test", "types", "%"));
    calls.put("getColumns of", () -> of.getColumns(null, null, "types", "i32"));
    calls.put("getPrimaryKeys", () -> of.getPrimaryKeys(t[0], t[1], t[2]));
    calls.put("getImportedKeys", () -> of.getImportedKeys(t[0], t[1], t[2]));
    calls.put("getExportedKeys", () -> of.getExportedKeys(t[0], t[1], t[2]));
    calls.put("getCrossReference", () -> of.getCrossReference(t[0], t[1], t[2], t[0], t[1], t[2]));
    calls.put("getBestRowIdentifier", () -> of.getBestRowIdentifier(t[0], t[1], t[2], 0, true));
    calls.put("getVersionColumns", () -> of.getVersionColumns(t[0], t[1], t[2]));
    calls.put("getTypeInfo", of::getTypeInfo);
    calls.put("getProcedures", () -> of.getProcedures(null, null, null));
    calls.put("getProcedureColumns", () -> of.getProcedureColumns(null, null, null, null));
    calls.put("getUDTs", () -> of.getUDTs(null, null, null, null));
    calls.put("getAttributes", () -> of.getAttributes(null, null, null, null));
    calls.put("getSuperTypes", () -> of.getSuperTypes(null, null, null));
    calls.put("getSuperTables", () -> of.getSuperTables(null, null, null));
    calls.put("getPseudoColumns", () -> of.getPseudoColumns(null, null, null, null));
    calls.put("getClientInfoProperties", of::getClientInfoProperties);
    calls.put("getIndexInfo", () -> of.getIndexInfo(t[0], t[1], t[2], false, true));
    calls.put("getFunctions", () -> of.getFunctions(null, null, null));
    calls.put("getFunctionColumns", () -> of.getFunctionColumns(null, null, null, null));
    calls.put("getTablePrivileges", () -> of.getTablePrivileges(t[0], t[1], t[2]));
    calls.put("getColumnPrivileges", () -> of.getColumnPrivileges(t[0], t[1], t[2], "%"));
    Map<String, Object> seen = new LinkedHashMap<>();
    calls.forEach((name, call) -> {
      try {
        seen.put(name, rowsOf(call.ask()));
      } catch (SQLException error) {
        seen.put(name, "refused: " + error.getClass().getSimpleName() + ": " + error.getMessage());
      }
    });
    return seen;
  }

  /** A column for each type: its name, its type's name and number, its value as an object and as a text. */
  static Object types(Connection connection) throws SQLException {
    try (ResultSet rows = connection.createStatement().executeQuery("SELECT * FROM types ORDER BY i32")) {
      ResultSetMetaData of = rows.getMetaData();
      List<Object> seen = new ArrayList<>();
      while (rows.next())
        for (int i = 1; i <= of.getColumnCount(); i++) {
          Object value = rows.getObject(i);
          String name = value == null ? null : value.getClass().getSimpleName();
          seen.add(Arrays.asList(of.getColumnName(i), of.getColumnTypeName(i), of.getColumnType(i), name, value, rows.getString(i)));
        }
      return seen;
    }
  }

  static Object prepared(Connection connection) throws SQLException {
    String sql = "SELECT i32, dec, ts, txt FROM types WHERE i32 = ? AND day < ? AND dec = ? AND ts >= ? AND txt <> ? AND ok = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, 1);
      statement.setDate(2, Date.valueOf("2030-01-01"));
      statement.setBigDecimal(3, new BigDecimal("12.34"));
      statement.setTimestamp(4, Timestamp.valueOf("2020-01-01 00:00:00.5"));
      statement.setString(5, "it's; ? -- not");
      statement.setBoolean(6, true);
      int parameters = statement.getParameterMetaData().getParameterCount();
      int columns = statement.getMetaData().getColumnCount();
      List<Object> once = rowsOf(statement.executeQuery());
      statement.setInt(1, 99);
      return Arrays.asList(parameters, columns, once, rowsOf(statement.executeQuery()));
    }
  }

  static final String DIGITS = "(VALUES 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)";

  static String digits(int count) {
    List<String> tables = new ArrayList<>();
    for (int i = 0; i < count; i++) tables.add(DIGITS + " t" + i + "(x" + i + ")");
    return String.join(", ", tables);
  }

  static Object maxRows(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setMaxRows(7);
      int few = rowsOf(statement.executeQuery("SELECT x0 FROM " + digits(5))).size();
      statement.setMaxRows(0);
      return List.of(few, rowsOf(statement.executeQuery("SELECT x0 FROM " + digits(2))).size());
    }
  }

  static Object pages(Connection connection) throws SQLException {
    String sql = "SELECT x0 + 10 * x1 + 100 * x2 + 1000 * x3 + 10000 * x4 n, 'a text that makes rows longer' FROM " + digits(5);
    long sum = 0;
    int count = 0;
    try (ResultSet rows = connection.createStatement().executeQuery(sql)) {
      for (; rows.next(); count++) sum += rows.getLong("n");
    }
    return List.of(count, sum);
  }

  /** How it ended, and whether it was soon. */
  static Object cancelled(Connection connection) throws Exception {
    try (Statement statement = connection.createStatement()) {
      String sum = "SELECT sum(x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10) FROM ";
      CompletableFuture<String> end = CompletableFuture.supplyAsync(() -> {
        try {
          return "answered " + rowsOf(statement.executeQuery(sum + digits(11)));
        } catch (SQLException error) {
          return error.getMessage();
        }
      });
      Thread.sleep(2_000);
      long from = System.nanoTime();
      statement.cancel();
      String how = end.get(30, TimeUnit.SECONDS);
      int after = rowsOf(connection.createStatement().executeQuery("SELECT 1")).size();
      return List.of(how, System.nanoTime() - from < 5_000_000_000L, after);
    }
  }

  static Object writes(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean isQuery = statement.execute("CREATE TABLE written (id integer, name varchar, at timestamp(6))");
      int inserted = statement.executeUpdate("INSERT INTO written VALUES (1, 'one', NULL), (2, 'two', TIMESTAMP '2024-02-29 10:00:00')");
      List<Integer> batch = new ArrayList<>();
      try (PreparedStatement insert = connection.prepareStatement("INSERT INTO written VALUES (?, ?, ?)")) {
        for (int id = 3; id < 6; id++) {
          insert.setInt(1, id);
          insert.setString(2, id == 4 ? null : "it's " + id);
          insert.setTimestamp(3, Timestamp.valueOf("2024-01-01 00:00:00.123456"));
          insert.addBatch();
        }
        for (int count : insert.executeBatch()) batch.add(count);
      }
      long updated = statement.executeLargeUpdate("UPDATE written SET name = upper(name) WHERE id < 3");
      int deleted = statement.executeUpdate("DELETE FROM written WHERE id = 5");
      List<Object> rows = rowsOf(statement.executeQuery("SELECT id, name, at FROM written ORDER BY id"));
      statement.execute("DROP TABLE written");
      return Arrays.asList(isQuery, inserted, batch, updated, deleted, rows);
    }
  }

  static Object refused(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeQuery("SELECT 1,\n nothing FROM types");
      return "answered";
    } catch (SQLException error) {
      return List.of(error.getMessage(), error.getErrorCode());
    }
  }

  static Object transaction(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    List<Object> rows = rowsOf(connection.createStatement().executeQuery("SELECT count(*) FROM types"));
    connection.commit();
    connection.setAutoCommit(true);
    connection.setSchema("information_schema");
    List<Object> tables = rowsOf(connection.createStatement().executeQuery("SELECT table_name FROM tables WHERE table_name = 'types'"));
    return Arrays.asList(rows, tables, connection.getCatalog(), connection.getSchema());
  }

  static List<Object> rowsOf(ResultSet rows) throws SQLException {
    List<Object> all = new ArrayList<>();
    try (rows) {
      int width = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= width; i++) row.add(rows.getObject(i));
        all.add(row);
      }
    }
    return all;
  }

  /** Whole numbers that JSON's readers would round are texts. */
  static String json(Object value) {
    if (value == null) return "null";
    if (value instanceof Boolean || value instanceof Integer) return value.toString();
    if (value instanceof Long number && Math.abs(number) < 1L << 53) return value.toString();
    if (value instanceof List<?> list) return list.stream().map(JdbcClient::json).collect(Collectors.joining(",", "[", "]"));
    if (value instanceof Map<?, ?> map)
      return map.entrySet().stream().map(each -> json(String.valueOf(each.getKey())) + ":" + json(each.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    if (value instanceof byte[] bytes) return json("bytes:" + Arrays.toString(bytes));
    if (value instanceof Array array) {
      try {
        return json(Arrays.asList((Object[]) array.getArray()));
      } catch (SQLException error) {
        throw new IllegalStateException(error);
      }
    }
    StringBuilder text = new StringBuilder("\"");
    for (char c : value.toString().toCharArray())
      text.append(c < ' ' || c == '"' || c == '\\' || c > '~' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
    return text.append('"').toString();
  }
}
