"""The OpenAPI description, held against a running server by Schemathesis: no request breaks it."""

import subprocess
import sys
from pathlib import Path

import pytest

import labelwise as lw
from patience import limit
from served import Running, key_of, new_assessment

SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")


@pytest.mark.slow  # hundreds of made-up requests
def test_no_request_breaks_the_server(tmp_path):
    where = str(tmp_path / "spring.lw")
    with lw.open_store(where) as store:
        new_assessment(store)
        lw.accounts.Accounts(store).add("ann", "owner", "correct horse")
    key = key_of(where, "ann", "owner")
    with Running(where) as server:
        done = subprocess.run(
            [
                SCHEMATHESIS, "run", f"{server.base}/api/openapi.json", "--header", f"Authorization: Bearer {key}",
                "--max-examples", "12", "--request-timeout", str(limit(10)),
                "--seed", "1", "--exclude-path", "/api/stream", "--exclude-path", "/api/close",
                "--mode", "all", "--no-color", "--suppress-health-check", "all", "--continue-on-failure",
                "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,"
                "response_schema_conformance,use_after_free",
            ],
            cwd=tmp_path, capture_output=True, text=True, timeout=limit(600), check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:]
    assert "Selected" not in done.stdout or "0/" not in done.stdout
    with lw.open_store(where) as store:
        assert store.verify("main") == []
        assert lw.accounts.Audit(store).problems() == []
