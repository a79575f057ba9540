"""Brings the source packages of Debian here. The system's own lists are only read; all that apt writes is in the work directory."""

import re
import shutil
import subprocess
from pathlib import Path


class Trouble(Exception):
    """Something that the user can mend; the text says how."""


def source_lists(target: Path) -> None:
    """The machine's package lists with `deb-src` instead of `deb`."""
    etc = Path("/etc/apt")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for path in [etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))]:
        if not path.is_file() or path.suffix not in (".list", ".sources"):
            continue
        text = path.read_text()
        if path.suffix == ".sources":
            text = re.sub(r"(?m)^Types:.*$", "Types: deb-src", text)
        else:
            lines = [re.sub(r"^deb(?:-src)?\s", "deb-src ", line) for line in text.splitlines()]
            text = "\n".join(dict.fromkeys(lines)) + "\n"
        (target / path.name).write_text(text)


def apt_options(work: Path) -> list[str]:
    lists, cache = work / "apt" / "lists", work / "apt" / "cache"
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    (cache / "archives" / "partial").mkdir(parents=True, exist_ok=True)
    pairs = {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": work / "apt" / "sources",
        "Dir::State::lists": lists,
        "Dir::Cache": cache,
        "APT::Sandbox::User": "root",
    }
    return [word for key, value in pairs.items() for word in ("-o", f"{key}={value}")]


def apt(work: Path, *words: str, folder: Path) -> None:
    if shutil.which("apt-get") is None:
        raise Trouble("the sources come from Debian packages: run this on Debian, or use --sources DIR")
    done = subprocess.run(
        ["apt-get", "-q", *apt_options(work), *words], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise Trouble(f"apt-get {' '.join(words)} failed:\n{done.stderr.strip()}")


def release() -> str:
    found = re.search(r"(?m)^VERSION_CODENAME=(\w+)$", Path("/etc/os-release").read_text())
    return found[1] if found else "stable"


def fetch(work: Path, package: str) -> Path:
    """The folder with the files of a source package; downloads only what is not there."""
    folder = work / "downloads" / package
    if any(folder.glob("*.dsc")):
        return folder
    if not (work / "apt" / "sources").is_dir():
        source_lists(work / "apt" / "sources")
        try:
            apt(work, "update", folder=work)
        except Trouble:
            shutil.rmtree(work / "apt" / "sources")
            raise
    scratch = folder.with_name(f"{package}.part")
    scratch.mkdir(parents=True, exist_ok=True)
    try:
        apt(work, "source", "--download-only", package, folder=scratch)
    except Trouble:
        # Lists of another day name versions that are gone, and a mirror may not have what came since the release.
        apt(work, "update", folder=work)
        apt(work, "source", "--download-only", f"{package}/{release()}", folder=scratch)
    scratch.rename(folder)
    return folder


def unpack(downloads: Path, target: Path, patches: bool) -> None:
    """Into a new folder, with or without Debian's patches."""
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    if shutil.which("dpkg-source") is None:
        raise Trouble("dpkg-source is missing: apt-get install dpkg-dev")
    description = next(downloads.glob("*.dsc")).name
    words = ["dpkg-source", "--no-check", *([] if patches else ["--skip-patches"]), "-x", description, str(target)]
    done = subprocess.run(words, cwd=downloads, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Trouble(f"{' '.join(words)} failed:\n{done.stderr.strip()}")
