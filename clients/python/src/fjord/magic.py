"""`%%fjord name --param x=1` in a notebook: the cell is a statement, and its DataFrame gets the name."""

from __future__ import annotations

import argparse
import json
import shlex
from typing import Any, Dict, List, Mapping, NoReturn, Optional

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class

from .client import Client
from .errors import FjordError
from .parameters import TYPES, typed


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"%%fjord: {message}\n{self.format_usage()}")


def make_parser() -> argparse.ArgumentParser:
    parser = _Parser("%%fjord", add_help=False)
    parser.add_argument("name", nargs="?", help="the variable that gets the DataFrame; without one it is shown")
    parser.add_argument("-p", "--param", action="append", default=[], metavar="name=value")
    parser.add_argument("-i", "--integration", help="the id of the database to ask instead of the lake")
    parser.add_argument("--profile", help="the profile of `fjord login` to use")
    parser.add_argument("--timeout", type=float, metavar="SECONDS")
    return parser


def parse_parameters(words: List[str], variables: Mapping[str, Any]) -> Dict[str, Any]:
    """
    As on the command line: `name=text`, `name:type=value`, `name:=JSON`. What follows `:=` may also be the name of a
    variable.
    """
    parameters: Dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        name, colon, kind = name.partition(":")
        if not equals or not name or (kind and kind not in TYPES):
            raise UsageError(f"{word}: say name=text, name:type=value or name:=JSON, by the types {', '.join(TYPES)}.")
        if not colon:
            parameters[name] = text
        elif kind:
            parameters[name] = typed(kind, text)
        elif text.isidentifier() and text in variables:
            parameters[name] = variables[text]
        else:
            try:
                parameters[name] = json.loads(text)
            except ValueError:
                raise UsageError(f"{word}: {text} is neither JSON nor a variable.") from None
    return parameters


@magics_class  # type: ignore[misc,untyped-decorator,unused-ignore]
class FjordMagics(Magics):  # type: ignore[misc,unused-ignore]
    """One client for each profile that a notebook uses."""

    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self._clients: Dict[Optional[str], Client] = {}

    @cell_magic("fjord")  # type: ignore[misc,untyped-decorator,unused-ignore]
    def fjord(self, line: str, cell: str) -> Any:
        """Runs the cell as a statement: `%%fjord name --param x=1`."""
        flags = make_parser().parse_args(shlex.split(line))
        if flags.name is not None and not flags.name.isidentifier():
            raise UsageError(f"{flags.name} is no name of a variable.")
        parameters = parse_parameters(flags.param, self.shell.user_ns)
        try:
            client = self._clients.get(flags.profile)
            if client is None:
                client = self._clients[flags.profile] = Client(profile=flags.profile)
            result = client.query(cell, parameters, integration=flags.integration, deadline=flags.timeout)
            frame = result.pandas()
        except FjordError as error:
            # Without the way through this client, which is no help for whoever reads the cell.
            raise UsageError(str(error)) from error
        if flags.name is None:
            return frame
        self.shell.user_ns[flags.name] = frame
        return None
