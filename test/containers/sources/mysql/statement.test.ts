// What may be sent to a MySQL server, and what a grant allows: decided on text alone.

import { describe, expect, it } from "vitest";
import { canWrite } from "../../../../containers/engine/sources/mysql/grants.ts";
import { checkMysqlStatement } from "../../../../containers/engine/sources/mysql/gate/check-statement.ts";

const check = (sql: string, database = "shop") => checkMysqlStatement(sql, database);

describe("the statement gate", () => {
  it.each([
    "SELECT 1",
    "select 1;",
    "  (SELECT 1) UNION (SELECT 2) ;;; -- done",
    "WITH a AS (SELECT 1) SELECT * FROM a",
    "((SELECT 1))",
    "SHOW TABLES",
    "DESCRIBE orders",
    "DESC orders note",
    "EXPLAIN SELECT 1",
    "EXPLAIN FORMAT=JSON SELECT * FROM orders",
    "EXPLAIN (SELECT 1)",
    "EXPLAIN orders",
    "EXPLAIN `update`",
    "TABLE orders",
    "VALUES (1, 2), (3, 4)",
    "SHOW CREATE TABLE orders",
    "SHOW PROCEDURE STATUS",
    "SELECT 'INTO OUTFILE ; /*! x */ -- '",
    'SELECT "a;b\\"; DROP"',
    "SELECT 'it''s; INTO'",
    "SELECT `into`, `a``;b` FROM t",
    "/* INTO ; */ SELECT 1 # ; DROP TABLE x",
    "SELECT 1 -- ; DROP",
    "SELECT 1--1",
    "SELECT REPLACE(a, 'x', 'y'), INSERT('abc', 1, 1, 'z') FROM t",
    "SELECT update_time, deleted FROM t",
    "SELECT SLEEP(0), BENCHMARK(1, 1)",
    "SELECT @@version, @x",
    "SELECT 0x41, 1e5, x'4142', 5 FROM t1",
    "SELECT /*+ MAX_EXECUTION_TIME(1000) */ 1",
    "SELECT größe FROM t",
    "SELECT * FROM t FOR SYSTEM_TIME ALL",
    "SELECT user FROM servers JOIN shop.user USING (id)",
    "SHOW CREATE VIEW user",
    "SELECT USER()",
  ])("lets %j through", (sql) => {
    expect(sql.startsWith(check(sql))).toBe(true);
  });

  const refusals: [string, RegExp][] = [
    ["", /empty/],
    ["  -- nothing", /empty/],
    [";", /empty/],
    ["INSERT INTO orders VALUES (2, 'x')", /that read/],
    ["UPDATE orders SET id = 2", /that read/],
    ["DELETE FROM orders", /that read/],
    ["DROP TABLE orders", /that read/],
    ["CREATE TABLE x (a INT)", /that read/],
    ["CALL sneak()", /that read/],
    ["SET GLOBAL general_log = 1", /that read/],
    ["DO SLEEP(1)", /that read/],
    ["HANDLER orders OPEN", /that read/],
    ["LOAD DATA INFILE '/etc/passwd' INTO TABLE orders", /that read/],
    ["BEGIN NOT ATOMIC INSERT INTO orders VALUES (2, ''); END", /one statement/],
    ["BEGIN NOT ATOMIC DROP TABLE orders", /that read/],
    ["PREPARE s FROM 'DROP TABLE orders'", /that read/],
    ["EXECUTE IMMEDIATE 'DROP TABLE orders'", /that read/],
    ["COMMIT", /that read/],
    ["LOCK TABLES orders WRITE", /that read/],
    ["KILL 1", /that read/],
    ["FLUSH TABLES", /that read/],
    ["(DELETE FROM orders)", /that read/],
    ["(SHOW TABLES)", /that read/],
    ["123", /that read/],
    ["'SELECT'", /that read/],
    ["`SELECT` 1", /that read/],
    ["ANALYZE SELECT 1", /that read/],
    ["SET STATEMENT max_statement_time = 0 FOR SELECT 1", /that read/],
    ["SELECT 1; DROP TABLE orders", /one statement/],
    ["SELECT 1; SELECT 2", /one statement/],
    ["SELECT 1; `;`", /one statement/],
    ["SELECT 1 ; /* x */ SELECT 2", /one statement/],
    ["SELECT ';'; SELECT ';'", /one statement/],
    ["SELECT 1 /*!50000 INTO OUTFILE '/tmp/x' */", /Executable/],
    ["SELECT 1 /*! UNION SELECT 2 */", /Executable/],
    ["SELECT 1 /*M!100000 INTO @a */", /Executable/],
    ["/*!SELECT*/ 1", /Executable/],
    ["SELECT /*+ SET_VAR(sql_mode = 'ANSI_QUOTES') */ 1", /hints/],
    ["SELECT /*+ set_var(a=b) */ 1", /hints/],
    ["SELECT /*+ INDEX(`*/`) */ 1", /hints/],
    ["SELECT /*+ RESOURCE_GROUP(x) */ 1", /hints/],
    ["SELECT * FROM orders INTO OUTFILE '/tmp/x'", /INTO writes/],
    ["SELECT 1 INTO @x", /INTO writes/],
    ["SELECT 1 into/**/dumpfile '/tmp/x'", /INTO writes/],
    ["TABLE orders INTO OUTFILE '/tmp/x'", /INTO writes/],
    ["(SELECT 1) INTO @x", /INTO writes/],
    ["SELECT 1e5into outfile '/tmp/x'", /INTO writes/],
    ["SELECT 1.5into @x", /INTO writes/],
    ["SELECT .5INTO @x", /INTO writes/],
    ["SELECT 0x41into @x", /INTO writes/],
    ["SELECT 1.into @x", /INTO writes/],
    ["SELECT\u000bid\u000cINTO\u000b@x FROM orders", /INTO writes/],
    ["SELECT 'a\\'' INTO @x -- '", /INTO writes/],
    ['SELECT "a""" INTO @x -- "', /INTO writes/],
    ["SELECT 1 #'\n INTO @x #'", /INTO writes/],
    ["SELECT 1 --'\u0001\n INTO @x", /not closed/],
    ["SELECT 1 --\u0001'\n INTO @x", /INTO writes/],
    ["EXPLAIN FORMAT=JSON INTO @x SELECT 1", /INTO writes|explained/],
    ["SELECT * FROM orders FOR UPDATE", /UPDATE changes/],
    ["SELECT * FROM orders FOR SHARE", /FOR SHARE/],
    ["SELECT * FROM orders LOCK IN SHARE MODE", /LOCK IN/],
    ["WITH a AS (SELECT 1) UPDATE orders SET id = 2", /UPDATE changes/],
    ["WITH a AS (SELECT 1) DELETE FROM orders", /DELETE changes/],
    ["SELECT @a := 1", /assigned/],
    ["SELECT @a : = 1, @a :\n= 2", /assigned/],
    ["EXPLAIN ANALYZE DELETE FROM orders", /explained|DELETE/],
    ["EXPLAIN UPDATE orders SET id = 3", /explained|UPDATE/],
    ["EXPLAIN INSERT INTO orders VALUES (3, '')", /explained|INTO/],
    ["EXPLAIN FOR CONNECTION 5", /explained/],
    ["EXPLAIN FORMAT=JSON FOR CONNECTION 5", /explained/],
    ["DESC", /explained/],
    ["SHOW EXPLAIN FOR 5", /your own/],
    ["SHOW ANALYZE FOR 5", /your own/],
    ["SELECT LOAD_FILE('/etc/passwd')", /LOAD_FILE/],
    ["SELECT load_file ('/etc/passwd')", /LOAD_FILE/],
    ["SELECT `load_file`('/etc/passwd')", /LOAD_FILE/],
    ["SELECT `Load_File`/**/('/etc/passwd')", /LOAD_FILE/],
    ["SELECT lòad_file('/etc/passwd')", /not allowed/],
    ["SELECT {fn LOAD_FILE('/etc/passwd')}", /LOAD_FILE/],
    ["SHOW TABLES WHERE LOAD_FILE('/etc/passwd') > ''", /LOAD_FILE/],
    ["SELECT GET_LOCK('a', 1)", /GET_LOCK/],
    ["SELECT RELEASE_ALL_LOCKS()", /RELEASE_ALL_LOCKS/],
    ["SELECT NEXTVAL(s)", /NEXTVAL/],
    ["SELECT SETVAL(s, 5)", /SETVAL/],
    ["SELECT NEXT VALUE FOR s", /Sequences/],
    ["SELECT PREVIOUS VALUE FOR s", /Sequences/],
    ["SELECT sys_exec('id')", /SYS_EXEC/],
    ["SELECT * FROM orders PROCEDURE ANALYSE()", /ANALYSE/],
    ["SELECT * FROM mysql.user", /secrets/],
    ["SELECT 1 FROM `mysql` . `global_priv`", /secrets/],
    ["TABLE MySQL.servers", /secrets/],
    ["DESC mysql.user", /secrets/],
    ["SELECT * FROM mysql.replica_master_info", /secrets/],
    ["SELECT * FROM mysql.column_stats", /secrets/],
    ["SELECT * FROM mysql.spider_tables", /secrets/],
    ["SHOW CREATE USER root", /secrets/],
    ["show /**/ create user", /secrets/],
    ["SHOW CREATE SERVER s", /secrets/],
    ["SHOW GRANTS FOR root", /secrets/],
    ["SHOW REPLICAS", /secrets/],
    ["SHOW SLAVE HOSTS", /secrets/],
    ["SHOW BINLOG EVENTS", /secrets/],
    ["SHOW RELAYLOG EVENTS", /secrets/],
    ["SELECT 'a", /not closed/],
    ["SELECT `a", /not closed/],
    ['SELECT "a\\"', /not closed/],
    ["SELECT 1 /* a", /not closed/],
    ["SELECT 'a\\\\' INTO @x -- '", /INTO writes/],
    ["SELECT 1\0 INTO @x", /NUL/],
    ["SELECT $$ ' $$ INTO @x -- '", /Dollar/],
    ["SELECT 1.5$$ ' $$", /Dollar/],
    ["SELECT \\N", /backslash/],
  ];
  it.each(refusals)("refuses %j", (sql, message) => {
    expect(() => check(sql)).toThrow(
      expect.objectContaining({ code: "statement_refused", message: expect.stringMatching(message) }),
    );
  });

  it.each([
    "SELECT * FROM user",
    "SELECT * FROM `User`",
    "SELECT 1 FROM db, user",
    "SELECT 1 FROM db JOIN (global_priv) ON 1",
    "TABLE servers",
    "SELECT * FROM .user",
    "SELECT * FROM db, . `user`",
    "DESC user",
    "SELECT * FROM mysql.user",
  ])("refuses %j in the system's own database, however that is spelled", (sql) => {
    for (const database of ["mysql", "MySQL"])
      expect(() => check(sql, database)).toThrow(
        expect.objectContaining({ code: "statement_refused", message: expect.stringMatching(/secrets/) }),
      );
  });

  it("lets the system's other tables through", () => {
    for (const sql of ["SELECT USER(), name FROM time_zone_name", "SELECT 'user' FROM db"])
      expect(check(sql, "mysql")).toBe(sql);
  });

  it("says where, in characters", () => {
    expect(() => check("SELECT '😀é' INTO @x")).toThrow(expect.objectContaining({ position: 13 }));
  });
});

describe("canWrite", () => {
  it.each([
    [["GRANT USAGE ON *.* TO `a`@`%`", "GRANT SELECT, SHOW VIEW ON `shop`.* TO `a`@`%`"], false],
    [["GRANT ALL PRIVILEGES ON *.* TO `a`@`%` WITH GRANT OPTION"], true],
    [["GRANT SELECT ON *.* TO `a`@`%`", "GRANT INSERT (`a`, `b`) ON `shop`.`t` TO `a`@`%`"], true],
    [["GRANT SELECT (`insert`, `update`) ON `shop`.`t` TO `a`@`%`"], false],
    [["GRANT UPDATE ON `other`.* TO `a`@`%`"], false],
    [["GRANT DELETE ON `sh%`.* TO `a`@`%`"], true],
    [["GRANT DELETE ON `sho\\_`.* TO `a`@`%`"], false],
    [["GRANT `role` TO `a`@`%`", "GRANT EXECUTE ON `shop`.* TO `a`@`%`"], false],
    [["GRANT SELECT, FILE ON *.* TO `a`@`%` IDENTIFIED BY PASSWORD '*A'"], true],
  ])("reads %j", (grants, expected) => {
    expect(canWrite(grants, "shop")).toBe(expected);
  });
});
