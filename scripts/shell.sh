# Shell helpers for the commands in the README and in docs/ (bash or zsh, with curl and Node). They read the platform's
# address from BASE and the caller's key from KEY.

# Sends a JSON request to a path, and prints the answer: fjord /v4/me
fjord() { curl -sS "$BASE$1" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "${@:2}" && echo; }

# Prints one field of the answer on its standard input: fjord /v4/me | get data.id
get() { node -e 'const answer = JSON.parse(require("fs").readFileSync(0, "utf8"))
  const value = process.argv[1].split(".").reduce((at, name) => at?.[name], answer)
  if (value === undefined) throw new Error(JSON.stringify(answer))
  console.log(value)' "$1"; }

# Runs one SQL statement on the lake: ask 'SELECT 1'
ask() { node -p 'JSON.stringify({ sql: process.argv[1] })' "$1" | fjord /v1/query -d @-; }
