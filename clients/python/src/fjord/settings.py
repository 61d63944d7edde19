"""The address and the key: given, of the environment, or of the profile that `fjord login` keeps."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Mapping, Optional, Tuple

from .errors import FjordError


def find_platform(url: Optional[str], key: Optional[str], profile: Optional[str]) -> Tuple[str, str]:
    """The environment comes before the profile, unless a profile is named. Raises FjordError where there is none."""
    if url is None and key is None:
        url, key = _kept(os.environ, profile)
    if not url or not key:
        raise FjordError("Say both the platform's address and a key, or neither.")
    return url.rstrip("/"), key


def _kept(env: Mapping[str, str], profile: Optional[str]) -> Tuple[str, str]:
    url, key = env.get("FJORD_URL"), env.get("FJORD_KEY")
    if url and key and profile is None:
        return url, key
    name = profile or env.get("FJORD_PROFILE") or "default"
    folder = env.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    try:
        document = json.loads((Path(folder) / "fjord" / "profiles.json").read_text(encoding="utf-8"))
        kept = document["profiles"][name]
        return str(kept["url"]), str(kept["key"])
    except (OSError, ValueError, KeyError, TypeError):
        raise FjordError(
            f"Nobody is signed in as profile {name}. Run `fjord login`, or set FJORD_URL and FJORD_KEY."
        ) from None
