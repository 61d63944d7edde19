// T-SQL's functions as macros of DuckDB. Bytes that are cast to numbers are read as SQL Server reads them.

/** `CAST(x AS name)`; a size where the type has one. */
const CASTS = `
  CREATE MACRO tsql_cast_bit(x) AS CAST(x AS BOOLEAN);
  CREATE MACRO tsql_cast_tinyint(x) AS CAST(x AS UTINYINT);
  CREATE MACRO tsql_cast_smallint(x) AS CAST(x AS SMALLINT);
  CREATE MACRO tsql_cast_int(x) AS CAST(tsql_number(x) AS INTEGER);
  CREATE MACRO tsql_cast_bigint(x) AS CAST(tsql_number(x) AS BIGINT);
  CREATE MACRO tsql_cast_float(x) AS CAST(x AS DOUBLE);
  CREATE MACRO tsql_cast_real(x) AS CAST(x AS FLOAT);
  CREATE MACRO tsql_cast_money(x) AS CAST(x AS DECIMAL(19,4));
  CREATE MACRO tsql_cast_date(x) AS CAST(x AS DATE);
  CREATE MACRO tsql_cast_time(x) AS CAST(x AS TIME);
  CREATE MACRO tsql_cast_datetime(x) AS CAST(x AS TIMESTAMP);
  CREATE MACRO tsql_cast_datetime2(x) AS CAST(x AS TIMESTAMP);
  CREATE MACRO tsql_cast_datetimeoffset(x) AS CAST(x AS TIMESTAMPTZ);
  CREATE MACRO tsql_cast_uniqueidentifier(x) AS CAST(x AS UUID);
  CREATE MACRO tsql_cast_sysname(x) AS CAST(x AS VARCHAR);
  CREATE MACRO tsql_cast_nvarchar(x, n) AS left(CAST(x AS VARCHAR), n);
  CREATE MACRO tsql_cast_varchar(x, n) AS left(CAST(x AS VARCHAR), n);
  CREATE MACRO tsql_cast_char(x, n) AS left(CAST(x AS VARCHAR), n);
  CREATE MACRO tsql_cast_nchar(x, n) AS left(CAST(x AS VARCHAR), n);
  CREATE MACRO tsql_bytes_of(x) AS CASE WHEN typeof(x) = 'BLOB' THEN TRY_CAST(CAST(x AS VARCHAR) AS BLOB)
    ELSE encode(CAST(x AS VARCHAR)) END;
  CREATE MACRO tsql_cast_varbinary(x, n) AS tsql_bytes_of(x);
  CREATE MACRO tsql_cast_binary(x, n) AS tsql_bytes_of(x);`;

/** `CONVERT(name, x, style)`: times in the form that ISO has, bytes in hexadecimal digits. */
const STYLES = `
  CREATE MACRO tsql_styled(x, style) AS CASE WHEN style = 2 THEN hex(TRY_CAST(CAST(x AS VARCHAR) AS BLOB))
    WHEN typeof(x) = 'TIMESTAMP' THEN strftime(TRY_CAST(CAST(x AS VARCHAR) AS TIMESTAMP), '%Y-%m-%d %H:%M:%S.%f')
    ELSE CAST(x AS VARCHAR) END;
  CREATE MACRO tsql_convert_varchar(x, n, style) AS left(tsql_styled(x, style), n);
  CREATE MACRO tsql_convert_nvarchar(x, n, style) AS left(tsql_styled(x, style), n);
  CREATE MACRO tsql_convert_date(x, style) AS CAST(x AS DATE);
  CREATE MACRO tsql_convert_datetime2(x, style) AS CAST(x AS TIMESTAMP);
  CREATE MACRO tsql_convert_datetimeoffset(x, style) AS CAST(x AS VARCHAR);`;

/** What a sync asks. */
const SYNC = `
  CREATE MACRO hashbytes(method, x) AS unhex(sha256(x));
  CREATE MACRO datalength(x) AS strlen(CAST(x AS VARCHAR));
  CREATE MACRO tsql_bytes(x, first, n) AS array_slice(x, first, first + n - 1);
  CREATE MACRO stuff(x, first, n, put) AS substr(x, 1, first - 1) || put || substr(x, first + n);
  CREATE MACRO datediff_big(part, a, b) AS
    date_diff(part, CAST(CAST(a AS VARCHAR) AS TIMESTAMP), CAST(CAST(b AS VARCHAR) AS TIMESTAMP));
  CREATE MACRO switchoffset(x, zone) AS timezone('UTC', CAST(replace(x, ' +', '+') AS TIMESTAMPTZ));
  CREATE MACRO collationproperty(name, property) AS 65001;
  CREATE MACRO columnproperty(id, name, property) AS 1;
  CREATE MACRO databasepropertyex(name, property) AS 'READ_WRITE';
  CREATE MACRO sql_variant_property(x, property) AS 'nvarchar';
  CREATE MACRO change_tracking_current_version() AS (SELECT version FROM sys.fake_counters);
  CREATE MACRO min_active_rowversion() AS (SELECT next_rowversion FROM sys.fake_counters);
  CREATE MACRO change_tracking_min_valid_version(id) AS
    (SELECT least_valid FROM sys.change_tracking_tables t WHERE t.object_id = id);`;

const FUNCTIONS = `
  CREATE MACRO tsql_blob_number(x) AS CAST(list_reduce(
    list_prepend(0::HUGEINT, list_transform(range(0, octet_length(x)), lambda i:
      CAST(CAST(('0x' || hex(x)[(2 * i + 1):(2 * i + 2)]) AS UTINYINT) AS HUGEINT))), lambda a, b: a * 256 + b) AS HUGEINT);
  CREATE MACRO tsql_signed(x, bytes) AS CASE WHEN bytes = 8 AND x >= 9223372036854775808
    THEN x - 18446744073709551616 ELSE x END;
  CREATE MACRO tsql_number(x) AS CASE WHEN typeof(x) = 'BLOB'
    THEN tsql_signed(tsql_blob_number(CAST(CAST(x AS VARCHAR) AS BLOB)), octet_length(CAST(CAST(x AS VARCHAR) AS BLOB)))
    ELSE TRY_CAST(CAST(x AS VARCHAR) AS HUGEINT) END;
  CREATE MACRO len(x) AS length(rtrim(CAST(x AS VARCHAR), ' '));
  CREATE MACRO quotename(x) AS '[' || replace(x, ']', ']]') || ']';
  CREATE MACRO db_id() AS 5;
  CREATE MACRO has_perms_by_name(name, class, permission) AS CASE WHEN class = 'DATABASE' THEN 0 ELSE 1 END,
    (name, class, permission, part, part_class) AS CASE WHEN part LIKE '%hidden%' THEN 0 ELSE 1 END;
  CREATE MACRO type_name(id) AS (SELECT name FROM sys.types t WHERE t.user_type_id = id);
  CREATE MACRO schema_name(id) AS (SELECT name FROM sys.schemas s WHERE s.schema_id = id);
  CREATE MACRO object_id(n) AS (SELECT object_id FROM sys.objects o JOIN sys.schemas s USING (schema_id)
    WHERE quotename(s.name) || '.' || quotename(o.name) = n OR s.name || '.' || o.name = n);
  CREATE MACRO serverproperty(n) AS CASE n WHEN 'ProductVersion' THEN '16.0.4135.4' WHEN 'EngineEdition' THEN '3' END;`;

/** In an order in which each finds those that it calls. */
export const MACROS: string = FUNCTIONS + CASTS + STYLES + SYNC;
