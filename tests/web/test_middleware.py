"""What stands before every route: names, other sites, sizes, rates and headers."""

import asyncio

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from labelwise.web import Settings
from labelwise.web.middleware import MOST_BYTES, POLICY, Middleware, Rates, log_line
from served import path_of, routes_of, sent
from strength import sized

HOSTILE = [
    "evil.example", "evil.example:8765", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example#127.0.0.1",
    "127.0.0.1@evil.example", "user@127.0.0.1", "0.0.0.0:8765", "10.0.0.7:8765", "169.254.169.254", "[::2]:8765",
    "127.0.0.2", "2130706433", "0x7f000001", "127.1", "localhost:8765:8765", "localhost:port", "", " ", "localhost\t",
    "%6cocalhost", "LOCALHOST.", "localhost,evil.example", "evil.example?localhost",
]  # fmt: skip


def test_a_hostile_host_reaches_no_route_not_even_a_file_or_the_stream(shared_house):
    before = shared_house.events()
    browser = shared_house.signed_in("ann", "owner")
    for k, (method, route) in enumerate(routes_of(shared_house.app)):
        for host in sized(full=HOSTILE, quick=[HOSTILE[k % len(HOSTILE)], HOSTILE[-1 - k % len(HOSTILE)]]):
            answer = browser.request(
                method, path_of(route), headers={"host": host}, json={} if method == "POST" else None
            )
            assert answer.status_code == 400, (method, route.path, host)
            assert "does not answer to that host name" in answer.text
    assert shared_house.events() == before
    assert len(HOSTILE) >= 20


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost", "LocalHost:1", "[::1]:8765"])
def test_this_machine_is_answered(shared_house, host):
    assert shared_house.client.get("/sign-in", headers={"host": host}).status_code == 200


def test_two_hosts_are_none(shared_house):
    headers = [("host", "127.0.0.1"), ("host", "evil.example")]
    assert shared_house.client.get("/sign-in", headers=headers).status_code == 400


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:8766"},
        {"origin": "http://127.0.0.1:8765.evil.example"},
    ],
)
def test_another_site_changes_nothing(house, headers):
    browser = house.signed_in("ann", "owner")
    if "origin" not in headers:
        del browser.headers["origin"]
    before = house.events()
    for method, route in routes_of(house.app):
        if method in ("POST", "DELETE"):
            answer = browser.request(method, path_of(route), headers=headers, json={})
            assert answer.status_code == 403, (method, route.path)
            assert "other sites are not allowed" in answer.text
    assert house.events() == before
    assert browser.get("/api/assessment").status_code == 200  # still signed in


def test_a_change_needs_an_origin_or_a_key(house):
    browser = house.signed_in("ann", "owner")
    del browser.headers["origin"]
    assert browser.post("/api/ask", json={}).status_code == 403
    assert browser.post("/api/ask", json={}, headers={"sec-fetch-site": "same-origin"}).status_code == 200
    tool = house.signed_in("tool", "labeller", kind="key")
    tool.cookies.clear()
    del tool.headers["origin"]
    assert tool.post("/api/ask", json={}, headers={"authorization": f"Bearer {tool.token}"}).status_code == 200


def test_another_site_may_link_here_but_not_read(house):
    browser = house.signed_in("ann", "owner")
    visit = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert browser.get("/", headers=visit).status_code == 200
    for dest in ("script", "image", "iframe", "empty"):
        reading = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": dest}
        assert browser.get("/api/assessment", headers=reading).status_code == 403


def test_an_oversized_body_is_refused_and_changes_nothing(house):
    browser = house.signed_in("ann", "owner")
    before = house.events()
    for method, route in routes_of(house.app):
        if method == "POST":
            answer = browser.post(path_of(route), content=b"x" * (MOST_BYTES + 1))
            assert answer.status_code == 413, route.path

    def in_pieces():
        yield b'{"n": 1, "tab": "'
        for _ in range(20):
            yield b"x" * (MOST_BYTES // 10)

    assert (
        browser.post("/api/ask", content=in_pieces(), headers={"content-type": "application/json"}).status_code == 413
    )
    lying = browser.post("/api/ask", content=b"{}", headers={"content-length": "-1"})
    assert lying.status_code in (400, 413)
    assert house.events() == before


def test_long_headers_are_refused(house):
    """The protocol refuses them only if they do not arrive at once."""
    browser = house.signed_in("ann", "owner")
    for headers in ({"cookie": f"a={'x' * 60_000}"}, {f"x-{k}": "x" * 500 for k in range(40)}):
        assert browser.get("/api/assessment", headers=headers).status_code == 431
    assert browser.get("/api/assessment", headers={"x-a": "x" * 8_000}).status_code == 200


def test_every_answer_carries_the_policy(shared_house):
    browser = shared_house.signed_in("ann", "owner")
    for method, route in routes_of(shared_house.app):
        if route.path == "/api/stream" or method != "GET":
            continue
        for who in (browser, shared_house.client):
            headers = sent(who, method, path_of(route)).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["x-frame-options"] == "DENY"
            assert headers["referrer-policy"] == "same-origin"
            assert "default-src 'none'" in headers["content-security-policy"], route.path
            assert "server" not in headers


def test_the_policy_is_strict():
    assert "unsafe-inline" not in POLICY
    assert "unsafe-eval" not in POLICY
    assert "http" not in POLICY
    assert "*" not in POLICY
    for part in ("script-src 'self'", "require-trusted-types-for 'script'", "trusted-types 'none'", "base-uri 'none'"):
        assert part in POLICY


def test_rates_fill_up_again():
    now = [0.0]
    rates = Rates(per_second=2.0, burst=3.0, clock=lambda: now[0])
    assert [rates.allows("ann") for _ in range(4)] == [True, True, True, False]
    now[0] = 1.0
    assert [rates.allows("ann") for _ in range(3)] == [True, True, False]


def test_a_flood_is_slowed_down_whatever_cookies_it_makes_up():
    guard = Middleware(
        PlainTextResponse("in"), Settings("spring.lw"), Rates(per_second=1.0, burst=3.0, clock=lambda: 0.0)
    )
    flood = [TestClient(guard, "http://127.0.0.1", cookies={"labelwise-8765": f"{k}" * 60}) for k in range(5)]
    assert [one.get("/").status_code for one in flood] == [200, 200, 200, 429, 429]
    assert flood[0].get("/").headers["retry-after"] == "1"
    keys = [TestClient(guard, "http://127.0.0.1", headers={"authorization": f"Bearer {k}"}) for k in range(2)]
    assert [one.get("/").status_code for one in keys] == [429, 429]
    far = TestClient(guard, "http://127.0.0.1", client=("10.0.0.7", 1))
    assert far.get("/").status_code == 200


def test_people_who_are_signed_in_are_counted_one_by_one(house, monkeypatch):
    seen = []
    monkeypatch.setattr(Rates, "allows", lambda self, caller: seen.append(caller) or True)
    ann, bob = house.signed_in("ann"), house.signed_in("bob")
    for browser in (ann, ann, bob, bob, house.client):
        browser.get("/api/assessment")
    first, ann_caller, second, bob_caller, stranger = seen
    assert first == second == stranger == "testclient"  # a session is known once it has been looked up
    assert len({stranger, ann_caller, bob_caller}) == 3
    assert not any(browser.token in seen for browser in (ann, bob))


@pytest.mark.parametrize("origin", ["http://[", "http://]", "//", "http://[::1", "ftp://127.0.0.1"])
def test_an_origin_that_is_no_address_is_another_site(house, origin):
    answer = house.signed_in("ann", "owner").post("/api/ask", json={}, headers={"origin": origin})
    assert answer.status_code == 403


def test_the_log_has_no_secret_no_query_and_no_control_character():
    scope = {"method": "GET", "path": "/a\r\nFAKE line\x1b[31m", "query_string": b"token=secret", "client": None}
    line = log_line(scope, 404, 0.001)
    assert line.isprintable()
    assert "secret" not in line
    for path in ("/link/s3cr3t", "/share/s3cr3t"):
        assert "s3cr3t" not in log_line({**scope, "path": path}, 200, 0.0)


def test_strangers_are_refused_before_their_bodies_are_read(house, monkeypatch):
    monkeypatch.setattr("starlette.requests.Request.json", lambda self: pytest.fail("the body was parsed"))
    for method, route in routes_of(house.app):
        if method != "GET" and route.path.startswith("/api/"):
            answer = house.client.request(method, path_of(route), json=[[]] * 9)
            assert (answer.status_code, answer.headers["connection"]) == (401, "close"), route.path


def test_only_an_access_key_stands_in_for_an_origin(house):
    browser = house.signed_in("ann", "owner")
    del browser.headers["origin"]
    for header in ("Basic eDp5", "", "Bearerx", "bearer"):
        assert browser.post("/api/ask", json={}, headers={"authorization": header}).status_code == 403
        assert browser.post("/sign-out", headers={"authorization": header}).status_code == 403
    assert browser.get("/api/assessment").status_code == 200


def test_a_request_says_its_length_in_one_way(house):
    browser = house.signed_in("ann", "owner")
    answer = browser.post("/api/ask", content=b"{}", headers={"transfer-encoding": "chunked", "content-length": "2"})
    assert answer.status_code == 400


def test_refused_requests_do_not_prolong_the_wait():
    now = [0.0]
    rates = Rates(per_second=0.1, burst=1.0, clock=lambda: now[0])
    assert rates.allows("ann")
    for now[0] in range(1, 10):
        assert not rates.allows("ann")
    now[0] = 10.5
    assert rates.allows("ann")


def test_a_long_answer_is_sent_in_pieces():
    sent_pieces = []

    async def answer(scope, receive, send):
        await PlainTextResponse("x" * 200_000)(scope, receive, send)

    async def send(message):
        sent_pieces.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")]}
    asyncio.run(Middleware(answer, Settings("spring.lw"))(scope, None, send))
    assert [len(piece["body"]) for piece in sent_pieces[1:]] == [65_536, 65_536, 65_536, 3_392]
    assert [piece["more_body"] for piece in sent_pieces[1:]] == [True, True, True, False]


def test_a_flood_from_many_addresses_of_one_ipv6_site_is_slowed_down():
    async def scene():
        async def answer(scope, receive, send):
            await PlainTextResponse("in")(scope, receive, send)

        statuses = []

        async def send(message):
            statuses.append(message.get("status"))

        guarded = Middleware(answer, Settings("spring.lw"), Rates(per_second=1e-9, burst=3.0))
        for client in ["2001:db8::1", "2001:db8::2", "2001:db8::3:4", "2001:db8::5", "2001:db8:0:1::1"]:
            headers = [(b"host", b"localhost")]
            await guarded(
                {"type": "http", "method": "GET", "path": "/", "headers": headers, "client": (client, 1)}, None, send
            )
        return [status for status in statuses if status]

    assert asyncio.run(scene()) == [200, 200, 200, 429, 200]
