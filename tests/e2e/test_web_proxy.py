"""The page behind the reverse proxy of docs/hosting.md: real nginx with TLS on the loopback."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("cryptography", reason="needs the extra `servers`")

from tests.e2e.certificates import certificate
from tests.e2e.engine import PATIENCE_SECONDS, ROOT
from tests.e2e.web_client import WebClient, WebRefused
from tests.e2e.web_server import web_process

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(NGINX is None and not os.environ.get("CI"), reason="needs nginx"),
]


def free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        for each in (one, other):
            each.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def configuration(folder: Path, public: int, inner: int) -> Path:
    """The block of the page, with the places of a test in place of a server's."""
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    found = re.search(r"```nginx\n(.*?)```", page, re.DOTALL)
    assert found is not None
    block = found[1]
    for said, here in (
        ("listen 443 ssl", f"listen 127.0.0.1:{public} ssl"),
        ("board.example.org", "localhost"),
        ("/etc/letsencrypt/live/localhost/", f"{folder}/"),
        ("127.0.0.1:8413", f"127.0.0.1:{inner}"),
    ):
        assert said in block, said
        block = block.replace(said, here)
    words = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{word}_temp_path {folder}/{word};\n" for word in words)
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{temporary}{block}}}\n"
    )
    return file


def test_a_game_is_played_through_a_proxy_with_tls(tmp_path: Path) -> None:
    """Events come as they happen, cookies stay encrypted, and other sites are kept out."""
    public, inner = free_ports()
    _, cert = certificate(tmp_path)
    trusted = ssl.create_default_context(cafile=cert)
    file = configuration(tmp_path, public, inner)
    options = ("--games", str(tmp_path / "games"), "--port", str(inner), "--seconds", "0.2")
    origin = f"https://localhost:{public}"
    with (
        subprocess.Popen([str(NGINX), "-p", tmp_path, "-c", file, "-e", tmp_path / "log"]) as proxy,
        web_process(*options, "--origin", origin) as (_, address),
    ):
        try:
            for _ in range(10 * PATIENCE_SECONDS):
                with socket.socket() as trying:
                    if trying.connect_ex(("127.0.0.1", public)) == 0:
                        break
                time.sleep(0.1)
            assert urlsplit(address).netloc == f"localhost:{public}"
            client = WebClient(address, trusted)
            assert client.set_cookie.endswith("Secure")
            with client.table("leblin", "4", None, 3).open(analyse=1) as table:
                table.play(5)
                table.wait(lambda: table.state["played"] >= 2)
                count = len(table.times("analysis"))
                table.wait(lambda: len(table.times("analysis")) > count + 2)
                assert table.faults == []
            client.origin = "https://evil.example"
            with pytest.raises(WebRefused, match="other pages"):
                client.table("leblin", "4")
        finally:
            proxy.terminate()
