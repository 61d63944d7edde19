// `npm start`, `npm test` and `npm run bench` take these arguments, as `--help` prints them. Plain JavaScript, like its
// one reader.

/** The words that each program takes, its options (each with a value), and the help. */
export const PROGRAMS = {
  start: {
    words: [],
    options: [],
    help: `Usage: npm start

Runs the whole platform on this machine until Ctrl-C: installs what it needs, applies migrations, makes a demo team, loads
a sample into its lake, and prints where it answers, with that team's key. Python's packages come after that, while it
runs. It takes no arguments, and installs no packages of tests and benches, nor removes any.

Environment:
  FJORD_PORT            the port on 127.0.0.1; 8787 when absent
  FJORD_STATE           the folder of all data; .fjord when absent. Another folder is another installation
  FJORD_CONTAINERS      "docker" runs the engine's and the sandbox's images instead of processes
  FJORD_VAR_<name>      sets a variable of wrangler.toml: FJORD_VAR_SYNC_RETRY_SECONDS=3
  ENGINE_…, SANDBOX_…   limits of the engine and the sandbox: containers/engine/core/settings.ts, containers/sandbox/core/settings.ts

Folders:
  .fjord/               databases, objects, secrets; remove it to start afresh
  .fjord/logs/          what the server, the engine, the sandbox and the clock say
  ~/.cache/fjord/       Python packages of datasets (/var/cache/fjord/ for root)`,
  },
  test: {
    words: [
      "types-worker",
      "types-node",
      "types-unit",
      "types-console",
      "types-cli",
      "types-client",
      "assets",
      "format",
      "tidy",
      "unit",
      "containers",
      "bundle",
      "console",
      "e2e",
      "engines",
    ],
    options: [],
    help: `Usage: npm test [-- <step> …]

Checks everything, as CI does, or only the named steps: types-worker types-node types-unit types-console types-cli types-client
assets format tidy unit containers bundle console e2e. By name only: engines, which fetches about 1.5 GB of other engines
once, and needs mvn, Java 17 and a Java from 22 on. A long step prints every 15 seconds how far it is, and a file that
fails at once; at a failed step's end stands all that it printed. One file: npx vitest run -c test/unit.config.ts test/unit/features/teams

Environment:
  SANDBOX_JAIL          the jail that Python is tested in: bwrap, landlock or bare; the strongest when absent
  WRITE_RUNS            how many statements each property of writes makes up; 30 when absent
  XDG_CACHE_HOME        where the cache folder lies
  TRINO_JAVA_HOME       a Java from 22 on, which Trino runs on; by default one of /usr/lib/jvm

Folders:
  ~/.cache/fjord/       what the tests fetch once: MariaDB where the machine has none, tools, extensions`,
  },
  bench: {
    words: [
      "catalog",
      "clickbench",
      "concurrency",
      "console",
      "endpoints",
      "formats",
      "http",
      "iceberg",
      "jobs",
      "lake",
      "sandbox",
      "sources",
      "start",
      "sync",
      "tpcds",
      "tpch",
      "trino",
    ],
    options: ["--rows", "--scale", "--files", "--seconds"],
    help: `Usage: npm run bench [-- <name> …] [--rows <n>] [--scale <n>] [--files <n>] [--seconds <n>]

Figures of this machine, not part of the tests: catalog clickbench concurrency console endpoints formats http iceberg jobs
lake sandbox sources start sync tpcds tpch trino, or only the named ones.

Options:
  --rows <n>            of the largest table of sync and of sources, from 10,000 on
  --scale <n>           of the tables of tpch (0.5 and then 1 when absent), tpcds and clickbench (1), from 0.01 to 2
  --files <n>           of catalog (90,000 when absent) and iceberg (10,000), from 10,000 on
  --seconds <n>         for which ten connections of concurrency and of clickbench send statements (120 when absent)`,
  },
  scale: {
    words: ["write"],
    options: [],
    help: `Usage: npm run scale [-- write]

Computes the figures of docs/operating/scale.md: what an installation of so many teams uses, costs and reaches. Prints the
page with them, or writes them into it.`,
  },
};

/** Whether these arguments ask for help. */
export const asksForHelp = (args) => args.some((argument) => argument === "--help" || argument === "-h");

/** What is wrong with a program's arguments, in words; undefined when nothing is. */
export function flawOf({ words, options }, args) {
  for (let at = 0; at < args.length; at++) {
    const argument = args[at];
    const [name, value] = argument.split("=");
    if (options.includes(name)) {
      if ((value ?? args[at + 1] ?? "") === "") return `${name} needs a value.`;
      if (value === undefined) at++;
    } else if (argument.startsWith("-")) return `There is no option ${name}.`;
    else if (!words.includes(argument)) return `"${argument}" is not known here.`;
  }
  return undefined;
}
