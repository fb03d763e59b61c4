"""The server as a process: how it starts, how it ends, and what a kill leaves."""

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

import labelwise as lw
from labelwise.errors import ArgumentError, ConflictError, NotFoundError
from labelwise.web import Settings, serve
from patience import limit, slowness
from served import Running, key_of, new_assessment


@pytest.fixture
def where(tmp_path):
    path = str(tmp_path / "spring.lw")
    with lw.open_store(path) as store:
        new_assessment(store)
    return path


def call(server, key, path, body=None):
    """Call the interface as a tool would."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
    if body is not None:
        headers["labelwise-assessment"] = call(server, key, "/api/assessment")["id"]
    request = urllib.request.Request(server.base + path, data, headers)
    with urllib.request.urlopen(request, timeout=limit(70)) as answer:
        return json.load(answer)


def test_it_says_where_it_is_and_leaves_within_three_seconds_of_sigterm_with_open_streams(where):
    key = key_of(where, "ann")
    with Running(where) as server:
        assert server.link.startswith(f"http://127.0.0.1:{server.port}/link/")
        request = urllib.request.Request(f"{server.base}/api/stream", headers={"authorization": f"Bearer {key}"})
        streams = [urllib.request.urlopen(request, timeout=limit(30)) for _ in range(5)]
        assert streams[0].readline() == b"retry: 2000\n"
        code, seconds, errors = server.end()
        for stream in streams:
            stream.close()
        assert seconds < 3 * slowness()
        assert (code, errors) == (0, "")


def test_ctrl_c_leaves_with_130(where):
    with Running(where) as server:
        code, seconds, errors = server.end(signal.SIGINT)
    assert (code, errors) == (130, "")
    assert seconds < 3 * slowness()


def test_the_token_is_in_no_log_and_the_log_is_one_line_a_request(where):
    with Running(where, "--log") as server:
        request = urllib.request.Request(server.link, headers={"accept": "text/html"})
        with urllib.request.urlopen(request, timeout=limit(30)):
            pass
        _, _, errors = server.end()
    token = server.link.rsplit("/", 1)[1]
    assert token not in errors
    assert "GET /link/... 200" in errors


def test_a_kill_loses_nothing_and_the_same_port_goes_on(where):
    key = key_of(where, "ann")
    with Running(where) as server:
        tickets = call(server, key, "/api/ask", {"n": 3, "tab": "a"})["tickets"]
        call(
            server,
            key,
            "/api/tell",
            {"ticket": tickets[0]["ticket"], "item": tickets[0]["id"], "label": "cat", "key": "k0"},
        )
        server.end(signal.SIGKILL)
        server.start(server.port)
        again = call(
            server,
            key,
            "/api/tell",
            {"ticket": tickets[0]["ticket"], "item": tickets[0]["id"], "label": "cat", "key": "k0"},
        )
        assert again == {"is_new": False, "n_labels": 1}
        assert call(
            server,
            key,
            "/api/renew",
            {"tickets": [{"ticket": tickets[1]["ticket"], "item": tickets[1]["id"]}], "tab": "a"},
        )["held"] == [tickets[1]["ticket"]]
        told = call(
            server,
            key,
            "/api/tell",
            {"ticket": tickets[1]["ticket"], "item": tickets[1]["id"], "label": "dog", "key": "k1"},
        )
        assert told == {"is_new": True, "n_labels": 2}


def test_another_host_needs_an_owner_who_can_sign_in(where, refusal):
    sentence = refusal(ConflictError, serve, Settings(where, host="0.0.0.0", port=0), lambda address: None)
    assert "labelwise user add" in sentence


def test_behind_a_proxy_people_sign_in_whatever_the_host(where, refusal):
    settings = Settings(where, port=0, proxies=("127.0.0.1",))
    sentence = refusal(ConflictError, serve, settings, lambda address: None)
    assert "through --proxy" in sentence
    assert "labelwise user add" in sentence


def test_who_has_an_account_that_may_less_is_not_made_an_owner_by_the_link(where, refusal):
    with lw.open_store(where) as store:
        lw.accounts.Accounts(store).add("ann", "owner", "correct horse")
        lw.accounts.Accounts(store).add("bob", "labeller", "battery staple")
    settings = Settings(where, port=0, labeller="bob")
    assert "'bob'" in refusal(ConflictError, serve, settings, lambda address: pytest.fail("it must not start"))


def test_a_taken_port_and_a_folder_that_is_not_there_are_one_sentence(where, tmp_path, refusal):
    with Running(where) as server:
        taken = refusal(ConflictError, serve, Settings(where, port=server.port), lambda address: None)
    assert "--port" in taken
    missing = Settings(where, port=0, images=tmp_path / "no such folder")
    assert "--images" in refusal(NotFoundError, serve, missing, lambda address: None)
    half = Settings(where, port=0, certificate=tmp_path / "x.pem")
    assert "--private-key" in refusal(ArgumentError, serve, half, lambda address: None)


@pytest.mark.slow  # starts a server
def test_others_can_sign_in_over_another_host_with_accounts(where):
    with lw.open_store(where) as store:
        lw.accounts.Accounts(store).add("ann", "owner", "correct horse")
    key = key_of(where, "ann", "owner")
    with Running(where, "--host", "0.0.0.0", "--allow-host", "label.example") as server:
        assert "/link/" not in server.link
        found = {host: _status(server, key, host) for host in ("label.example", "evil.example", "127.0.0.1")}
        assert found == {"label.example": 200, "evil.example": 400, "127.0.0.1": 200}


def _status(server, key, host):
    headers = {"authorization": f"Bearer {key}", "host": host}
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}/api/assessment", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=limit(30)) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.slow  # starts two servers
def test_only_a_named_proxy_is_believed(where):
    with lw.open_store(where) as store:
        lw.accounts.Accounts(store).add("ann", "owner", "correct horse")
    form = b"name=ann&password=correct+horse"
    headers = {"x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.7", "sec-fetch-site": "same-origin"}
    for options, is_secure in (((), False), (("--proxy", "127.0.0.1"), True)):
        with Running(where, *options, "--log") as server:
            request = urllib.request.Request(f"http://127.0.0.1:{server.port}/sign-in", form, headers)
            with pytest.raises(urllib.error.HTTPError) as answer:
                urllib.request.build_opener(_NoRedirect).open(request, timeout=limit(30))
            with answer.value as redirect:
                assert redirect.code == 303
                assert ("Secure" in redirect.headers["set-cookie"]) is is_secure
            _, _, log = server.end()
            client = "192.0.2.7" if is_secure else "127.0.0.1"
            assert f"{client} POST /sign-in 303" in log


@pytest.mark.slow  # starts a server
def test_https_with_a_certificate(where, tmp_path):
    import ssl

    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    if made.returncode:
        pytest.skip("openssl cannot make a certificate here")
    files = ["--certificate", str(tmp_path / "cert.pem"), "--private-key", str(tmp_path / "key.pem")]
    with Running(where, *files) as server:
        assert server.link.startswith("https://")
        trusted = ssl.create_default_context(cafile=tmp_path / "cert.pem")
        opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=trusted), _NoRedirect)
        with opener.open(server.link) as answer:
            assert "Secure" in answer.headers["set-cookie"]
            assert answer.headers["strict-transport-security"]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def test_postgres_restarted_in_the_middle_loses_nothing(postgres):
    where = postgres.fresh()
    with lw.open_store(where) as store:
        new_assessment(store)
    key = key_of(where, "ann")
    with Running(where) as server:
        told = 0
        for k in range(12):
            if k == 6:
                postgres.restart(pause=1.0)
            for ticket in call(server, key, "/api/ask", {"n": 1})["tickets"]:
                call(
                    server,
                    key,
                    "/api/tell",
                    {"ticket": ticket["ticket"], "item": ticket["id"], "label": "cat", "key": f"k{k}"},
                )
                told += 1
        assert call(server, key, "/api/progress")["n_labels"] == told == 12
    with lw.open_store(where) as store:
        assert store.verify("main") == []


def test_without_its_libraries_the_command_says_what_to_install(where):
    code = (
        "import sys; sys.modules['uvicorn'] = None\n"
        f"from labelwise.web import Settings, serve\nserve(Settings({where!r}), print)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=limit(60), check=False)
    assert "pip install 'labelwise[web]'" in done.stderr


@pytest.mark.parametrize("proxy", ["*", "localhost", "proxy.example", "10.0.0.0/33"])
def test_a_proxy_is_an_address_or_a_network(where, refusal, proxy):
    settings = Settings(where, port=0, proxies=(proxy,))
    assert "10.0.0.7 or 172.16.0.0/12" in refusal(ArgumentError, serve, settings, lambda address: None)
