"""Writes a table's metadata anew as PyIceberg writes them, or plans one scan: `plan_once.py <order as JSON>`."""

import json
import sys
import time
from pathlib import Path

from pyiceberg.io import FileIO
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.manifest import write_manifest, write_manifest_list
from pyiceberg.table import StaticTable

order = json.loads(sys.argv[1])
FOLDER = order["folder"]
IO = {"py-io-impl": "__main__.LocalFiles"}


def path_of(location):
    return Path(location.replace("s3://", f"{FOLDER}/"))


class LocalFiles(FileIO):
    """Reads and writes what metadata call an object of S3 in the bench's folder."""

    def __init__(self, properties):
        super().__init__(properties)
        self.files = PyArrowFileIO(properties)

    def new_input(self, location):
        return self.files.new_input(str(path_of(location)))

    def new_output(self, location):
        return self.files.new_output(str(path_of(location)))

    def delete(self, location):
        raise NotImplementedError


def open_table(location):
    return StaticTable.from_metadata(location, IO)


def write(location):
    """All files in one manifest: it is smaller than the 8 MB from which PyIceberg would begin another."""
    table = open_table(location)
    snapshot = table.current_snapshot()
    beside = location.rsplit("/", 1)[0]
    files, lists, metadata = (f"{beside}/static-{kind}" for kind in ("data.avro", "list.avro", "table.metadata.json"))
    entries = [
        entry
        for manifest in snapshot.manifests(table.io)
        for entry in manifest.fetch_manifest_entry(table.io)
    ]
    written = table.io.new_output(files)
    with write_manifest(2, table.spec(), table.schema(), written, snapshot.snapshot_id, "deflate") as manifest:
        for entry in entries:
            manifest.existing(entry)
    listed = table.io.new_output(lists)
    ids = (snapshot.snapshot_id, snapshot.parent_snapshot_id, snapshot.sequence_number)
    with write_manifest_list(2, listed, *ids, "deflate") as manifests:
        manifests.add_manifests([manifest.to_manifest_file()])
    document = json.loads(path_of(location).read_text())
    for each in document["snapshots"]:
        each["manifest-list"] = lists
    path_of(metadata).write_text(json.dumps(document))
    return {"location": metadata}


def plan(location, below):
    started = time.perf_counter()
    table = open_table(location)
    name = table.schema().fields[0].name
    scan = table.scan() if below is None else table.scan(row_filter=f"{name} < {int(below)}")
    files = len(list(scan.plan_files()))
    return {"files": files, "ms": (time.perf_counter() - started) * 1000}


print(json.dumps(write(order["write"]) if "write" in order else plan(order["plan"], order["below"])))
