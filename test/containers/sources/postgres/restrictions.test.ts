// What PostgreSQL is kept from: statements that do more than read.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bench } from "../../../support/node/sources/test-postgres.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
  await bench.admin.query(`
    DROP SCHEMA IF EXISTS gated CASCADE; CREATE SCHEMA gated; CREATE TABLE gated.kept (n int); INSERT INTO gated.kept VALUES (1); CREATE TYPE gated.pair AS (a int, b text);
    CREATE FUNCTION gated.writes() RETURNS int LANGUAGE sql AS 'INSERT INTO gated.kept VALUES (2) RETURNING n'`);
});
afterAll(async () => {
  await bench.admin.query("DROP SCHEMA gated CASCADE");
  await bench.close();
});

describe("the gate refuses what does not only read", () => {
  it.each([
    "insert into gated.kept values (3)",
    "update gated.kept set n = 2",
    "delete from gated.kept",
    "truncate gated.kept",
    "merge into gated.kept k using (values (1)) v(n) on k.n = v.n when matched then delete",
    "with gone as (delete from gated.kept returning n) select * from gone",
    "select 1 from (values (1)) v where exists (select 1) union (with x as (insert into gated.kept values (9) returning n) select n from x)",
    "select * into gated.copy from gated.kept",
    "create table gated.copy as select 1",
    "create temp table t (n int)",
    "drop table gated.kept",
    "explain analyze delete from gated.kept",
    "explain analyze create table gated.copy as select 1",
    "explain execute x",
    "select * from gated.kept for update",
    "select * from (select * from gated.kept for share) x",
    "select 1; drop table gated.kept",
    "select 1; select 2",
    "",
    " ; ",
    "-- nothing",
    "copy gated.kept to program 'cat'",
    "copy (select 1) to '/tmp/x'",
    "copy gated.kept from program 'id'",
    "do $$ begin end $$",
    "call gated.writes()",
    "set role postgres",
    "set transaction read write",
    "reset all",
    "begin",
    "commit",
    "rollback",
    "lock gated.kept",
    "listen x",
    "notify x",
    "prepare p as select 1",
    "execute p",
    "deallocate all",
    "declare c cursor for select 1",
    "fetch all from c",
    "vacuum",
    "analyze",
    "reindex table gated.kept",
    "checkpoint",
    "load 'x'",
    "grant all on gated.kept to public",
    "alter system set fsync = off",
    "discard all",
    "refresh materialized view x",
    "comment on table gated.kept is 'x'",
    "create extension dblink",
    "select pg_read_file('/etc/passwd')",
    "select pg_catalog.pg_read_binary_file('x')",
    "select \"pg_ls_dir\"('.')",
    "select U&\"pg_\\006c\\0073_dir\"('.')",
    "select PG_READ_FILE('x')",
    "select ('/etc/passwd'::text).pg_read_file",
    "select f.pg_read_file from lower('/etc/passwd') f",
    "select * from pg_ls_waldir()",
    "select pg_stat_file('x')",
    "select lo_import('/etc/passwd')",
    "select lo_export(1, '/tmp/x')",
    "select * from dblink('host=x', 'select 1') as t(a int)",
    "select dblink_connect('x')",
    "select pg_terminate_backend(1)",
    "select pg_cancel_backend(1)",
    "select pg_reload_conf()",
    "select pg_rotate_logfile()",
    "select set_config('transaction_read_only', 'off', true)",
    "select query_to_xml('select pg_read_file(''x'')', true, true, '')",
    "select database_to_xml(true, true, '')",
    "select * from ts_stat('select 1')",
    "select ts_rewrite('a'::tsquery, 'select 1')",
    "select pg_advisory_lock(1)",
    "select pg_try_advisory_xact_lock(1)",
    "select nextval('s')",
    "select setval('s', 1)",
    "select txid_current()",
    "select pg_logical_emit_message(true, 'a', 'b')",
    "select pg_create_restore_point('x')",
    "select pg_switch_wal()",
    "select pg_promote()",
    "select pg_notify('a', 'b')",
    "select * from rows from (pg_ls_logdir(), generate_series(1, 2))",
    "select 1 where pg_advisory_lock(1) is null",
    "select count(*) filter (where pg_notify('a','b') is null)",
    "values (pg_notify('a','b'))",
    "explain select pg_notify('a','b')",
    "select $1",
    "select 1\0; drop table gated.kept",
    "select * from pg_hba_file_rules",
    "table pg_catalog.pg_file_settings",
    "select 1 where exists (select from only pg_ident_file_mappings)",
    "select * from lower('x') a, pg_hba_file_rules b",
    "with pg_hba_file_rules as (table pg_hba_file_rules) select 1",
    "select rolpassword from pg_authid",
    "select passwd from pg_shadow",
    "select umoptions from pg_user_mappings",
    "select * from information_schema.user_mapping_options",
    "select subconninfo from pg_subscription",
    'select * from "pg_hba_file_rules"',
    "select umoptions from information_schema._pg_user_mappings",
    "select stavalues1 from pg_statistic",
    "table pg_catalog.pg_statistic_ext_data",
    "select chunk_data from pg_toast.pg_toast_1260",
    "show primary_conninfo",
    "show Primary_ConnInfo",
    'show "PRIMARY_CONNINFO"',
    "show ssl_passphrase_command",
    "show all",
    'show "ALL"',
    "select setting from pg_settings",
    "select * from pg_show_all_settings()",
    "select current_setting('primary_conninfo')",
    "select pg_catalog.current_setting('PRIMARY_conninfo', true)",
    "select current_setting('primary_' || 'conninfo')",
    "select current_setting(n) from (values ('primary_conninfo')) v(n)",
    "select ('primary_conninfo'::text).current_setting",
    "select n.current_setting from lower('PRIMARY_CONNINFO') n",
    "select get_raw_page('pg_authid', 0)",
    "select * from heap_page_items(null)",
    "select heap_page_item_attrs(null, 'pg_authid')",
    "select * from tuple_data_split(1260, null, 0, 0, null)",
    "select * from bt_page_items('pg_authid_rolname_index', 1)",
    "select bt_metap('x')",
    "select * from bt_multi_page_stats('x', 1, 1)",
    "select * from gin_leafpage_items(null)",
    "select brin_metapage_info(null)",
    "select * from hash_page_items(null)",
    "select fsm_page_contents(null)",
    "select * from pg_get_wal_records_info('0/0', '0/1')",
    "select * from pg_get_wal_record_info('0/0')",
    "select * from pg_get_wal_block_info('0/0', '0/1')",
    "select * from pg_get_wal_records_info_till_end_of_wal('0/0')",
    "select * from pgrowlocks('x')",
    "select * from pg_visibility('x')",
    "select pg_visibility_map_summary('x')",
    "select pg_check_frozen('x')",
  ])("%s", async (sql) => {
    expect(await bench.failureOf(bench.statement(sql))).toMatchObject({ status: 400, code: "statement_refused" });
  });

  it.each([
    ["parentheses", `select ${"(".repeat(200_000)}1${")".repeat(200_000)}`],
    ["operators", `select 1${"+1".repeat(300_000)}`],
    ["unions", `select 1${" union select 1".repeat(60_000)}`],
    ["casts", `select 1${"::int".repeat(150_000)}`],
  ])("a bomb of %s, and the engine takes the next statement", async (_name, sql) => {
    expect(await bench.failureOf(bench.statement(sql))).toMatchObject({
      status: 400,
      code: expect.stringMatching(/^(statement_refused|resources_exceeded)$/),
    });
    expect((await bench.rowsOf("select 1 as v")).data).toEqual([{ v: 1 }]);
  });

  it("says of SHOW ALL how a setting is asked for", async () => {
    expect((await bench.failureOf(bench.statement("show all"))).message).toMatch(/by its name: SHOW work_mem/);
  });

  it("lets through what only reads", async () => {
    for (const sql of [
      "with a as (select 1 as n) select * from a",
      "table gated.kept",
      "select * from gated.kept tablesample system (100)",
      "select lo_get(1) where false",
      "select (row(1,'a')::gated.pair).a",
      "explain (analyze, timing off) select 1",
      "select 1 as pg_notify",
      "show work_mem",
      "select current_setting('work_mem'), current_setting('app.user', true)",
      "select count(*) from pg_stats",
      "select pg_get_wal_replay_pause_state() where false",
    ]) {
      expect((await bench.rowsOf(sql)).success, sql).toBe(true);
    }
  });
});

describe("the transaction behind the gate", () => {
  it("is read-only: a function that writes fails, and nothing is written", async () => {
    expect(await bench.failureOf(bench.statement("select gated.writes()"))).toMatchObject({
      status: 400,
      code: "statement_refused",
      message: expect.stringMatching(/read-only transaction/),
    });
    expect((await bench.admin.query("select n from gated.kept")).rows).toEqual([{ n: 1 }]);
  });
});
