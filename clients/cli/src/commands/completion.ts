// completion: a script for a shell, made from the tree of commands itself.

import { Argument, type Command } from "commander";
import type { AddCommands } from "../context.ts";
import { writeData } from "../output/terminal.ts";

type Shell = "bash" | "zsh" | "fish";
/** The words that may follow a line of commands, as "sync run". */
type Words = ReadonlyMap<string, readonly string[]>;

export const addCompletionCommand: AddCommands = (program) => {
  program
    .command("completion")
    .description("print a script that completes commands and options; eval it in the shell's start-up file")
    .addArgument(new Argument("<shell>").choices(Object.keys(SCRIPTS)))
    .action((shell: Shell) => writeData(SCRIPTS[shell](wordsOf(program))));
};

function wordsOf(program: Command): Words {
  const globals = optionsOf(program);
  const words = new Map<string, string[]>();
  const visit = (command: Command, line: string): void => {
    const children = command.commands.map((child) => child.name());
    words.set(line, [...children, ...(command === program ? [] : optionsOf(command)), ...globals, "--help"]);
    for (const child of command.commands) visit(child, `${line} ${child.name()}`.trim());
  };
  visit(program, "");
  return words;
}

const optionsOf = (command: Command): string[] => command.options.map(({ long }) => long!);

/** The longest known line of commands that the typed words begin with decides. */
const posixScript = (words: Words): string => `_fjord_words() {
  local line="" word known=""
  for word in "$@"; do
    case "$word" in -*) continue ;; esac
    line="\${line:+$line }$word"
    case "$line" in
${[...words.keys()]
  .filter((line) => line !== "")
  .map((line) => `      "${line}") known="$line" ;;`)
  .join("\n")}
    esac
  done
  case "$known" in
${[...words].map(([line, each]) => `    "${line}") echo "${each.join(" ")}" ;;`).join("\n")}
  esac
}
`;

const SCRIPTS: Record<Shell, (words: Words) => string> = {
  bash: (words) => `${posixScript(words)}_fjord() {
  local current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$(_fjord_words "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "$current"))
}
complete -o default -F _fjord fjord
`,
  zsh: (words) => `#compdef fjord
${posixScript(words)}_fjord() {
  local -a candidates
  candidates=(\${=$(_fjord_words "\${(@)words[2,CURRENT-1]}")})
  compadd -- $candidates
  _files
}
compdef _fjord fjord
`,
  fish: (words) =>
    `${[...words]
      .map(([line, each]) => {
        const typed = line === "" ? "test -z (__fjord_line)" : `test (__fjord_line) = "${line}"`;
        return `complete -c fjord -n '${typed}' -a '${each.join(" ")}'`;
      })
      .join("\n")}
function __fjord_line
  string join ' ' (string match -v -- '-*' (commandline -opc)[2..-1])
end
`,
};
