// A doc's own packages: which requirements are taken, and that installing runs nobody's code.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { findPython } from "../../../containers/sandbox/python/interpreter.ts";
import { installRequirements, REQUIREMENT } from "../../../containers/sandbox/python/packages.ts";

describe("requirements", () => {
  it.each(["numpy==2.4.6", "scikit-learn>=1.5,<2", "requests[socks]~=2.30", "polars"])("may be %s", (text) =>
    expect(text).toMatch(REQUIREMENT),
  );
  it.each([
    "-r file",
    "--index-url=http://x",
    "git+https://x/y",
    "./local",
    "a @ file:///x",
    "a; os_name",
    "",
    "../x",
    "a==1 --hash=x",
  ])("may not be %j", (text) => expect(text).not.toMatch(REQUIREMENT));
});

/** A package with a wheel that asks for another one by the address of its sources, which say so when they are run. */
const TRAP = `
import sys, tarfile, zipfile
folder, mark = sys.argv[1:]
open(folder + "/setup.py", "w").write(f"open({mark!r}, 'w').close()")
with tarfile.open(folder + "/inner.tar.gz", "w:gz") as sources:
    sources.add(folder + "/setup.py", "inner-1.0/setup.py")
with zipfile.ZipFile(folder + "/outer-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("outer-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\\nName: outer\\nVersion: 1.0\\nRequires-Dist: inner @ file://{folder}/inner.tar.gz\\n")
    wheel.writestr("outer-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr("outer-1.0.dist-info/RECORD", "")
`;

describe("installing", () => {
  it("builds nothing, though a wheel may ask for sources by their address", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fjord-trap-"));
    const python = await findPython(process.env);
    execFileSync(python.command, ["-c", TRAP, folder, join(folder, "built")]);
    vi.stubEnv("PIP_NO_INDEX", "1");
    vi.stubEnv("PIP_FIND_LINKS", folder);
    try {
      await expect(installRequirements(python, join(folder, "packages"), ["outer==1.0"])).rejects.toThrow(
        /could not be installed/,
      );
      expect(existsSync(join(folder, "built"))).toBe(false);
    } finally {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    }
  });
});
