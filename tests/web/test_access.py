"""Who may do what; the tables are made from the list of routes, so that no new route is forgotten."""

import asyncio
import threading

import pytest
from starlette.testclient import TestClient

import labelwise as lw
from labelwise.web import Settings, middleware
from labelwise.web.access import DECLARATIONS, safe_path, sign_in_path
from labelwise.web.app import make_app
from labelwise.web.middleware import Rates, RefusedError
from patience import limit
from served import new_assessment, path_of, routes_of, sent

PUBLIC = {
    ("GET", "/sign-in"), ("POST", "/sign-in"), ("POST", "/sign-out"), ("GET", "/link/{token}"),
    ("GET", "/share/{token}"), ("GET", "/static/{name}"), ("GET", "/vega.js"),
    ("GET", "/favicon.ico"),
}  # fmt: skip
OWNERS = {
    ("GET", "/api/skipped"), ("GET", "/api/export"), ("GET", "/api/report"), ("GET", "/api/disputes"),
    ("POST", "/api/settle"), ("POST", "/api/seconds"), ("POST", "/api/close"), ("GET", "/api/users"),
    ("POST", "/api/users"), ("DELETE", "/api/users/{name}"), ("POST", "/api/share"), ("DELETE", "/api/share"),
    ("GET", "/api/audit"), ("GET", "/disputes"), ("GET", "/people"),
}  # fmt: skip
READERS = {
    ("GET", "/api/answer"), ("GET", "/api/charts"), ("GET", "/api/charts/{kind}"), ("GET", "/api/labellers"),
    ("GET", "/api/agreement"), ("GET", "/dashboard"),
}  # fmt: skip
ANYBODY = {("GET", "/"), ("GET", "/api/assessment"), ("GET", "/api/progress"), ("GET", "/api/stream")}


def declared(route):
    """The declarations that a route carries, however deep."""

    def calls(dependant):
        return {dependant.call} | {call for below in dependant.dependencies for call in calls(below)}

    return [one for one in DECLARATIONS if one in calls(route.dependant)]


def test_every_route_declares_who_may_call_it_exactly_once(shared_house):
    routes = routes_of(shared_house.app)
    assert len(routes) > 30
    for method, route in routes:
        assert len(declared(route)) == (0 if (method, route.path) in PUBLIC else 1), (method, route.path)


def test_nobody_gets_in_without_signing_in(shared_house):
    before = shared_house.events()
    for method, route in routes_of(shared_house.app):
        if (method, route.path) in PUBLIC:
            continue
        answer = sent(shared_house.client, method, path_of(route))
        is_page = not route.path.startswith("/api/")
        assert answer.status_code == (303 if is_page else 401), (method, route.path)
        assert not is_page or answer.headers["location"].startswith("/sign-in")
    assert shared_house.events() == before


@pytest.mark.parametrize("token", ["x" * 43, "", "ä" * 20, "x" * 5000, "' OR 1=1 --", "../../etc/passwd"])
def test_a_wrong_token_is_nobody_as_cookie_key_link_and_share(shared_house, token):
    client, cookie = shared_house.client, shared_house.app.state.settings.cookie
    raw = [("cookie", f"{cookie}={token}".encode()), ("origin", b"http://127.0.0.1:8765")]
    assert client.get("/api/assessment", headers=raw).status_code == 401
    assert client.get("/api/assessment", headers=[("authorization", f"Bearer {token}".encode())]).status_code == 401
    if token and "/" not in token:
        assert client.get(f"/link/{token}").status_code == 403
        assert client.get(f"/share/{token}").status_code == 403


def test_labellers_and_viewers_reach_no_owners_route(shared_house):
    before = shared_house.events(), lw.accounts.Accounts(shared_house.store).all()
    for role in ("labeller", "viewer"):
        browser = shared_house.signed_in("bob", role)
        for method, route in routes_of(shared_house.app):
            if (method, route.path) in OWNERS:
                assert sent(browser, method, path_of(route)).status_code == 403, (role, method, route.path)
    assert (shared_house.events(), lw.accounts.Accounts(shared_house.store).all()) == before


def test_the_tables_above_name_every_route(shared_house):
    labelling = {key for key in keys(shared_house.app) if key not in PUBLIC | OWNERS | READERS | ANYBODY}
    assert labelling == {
        *(("POST", f"/api/{word}") for word in ("ask", "tell", "skip", "undo", "withdraw", "renew", "release")),
        ("GET", "/api/tickets/{ticket}"), ("GET", "/api/tickets/{ticket}/image/{column}"), ("GET", "/api/history"),
        ("GET", "/history"), ("GET", "/api/openapi.json"),
    }  # fmt: skip
    assert keys(shared_house.app) >= OWNERS | READERS | ANYBODY | PUBLIC


def keys(app):
    return {(method, route.path) for method, route in routes_of(app)}


def test_a_viewer_cannot_label_and_sees_no_item(shared_house):
    browser = shared_house.signed_in("reader", "viewer")
    for method, route in routes_of(shared_house.app):
        if (method, route.path) not in PUBLIC | OWNERS | READERS | ANYBODY:
            assert sent(browser, method, path_of(route)).status_code == 403, (method, route.path)
    assert browser.get("/").headers["location"] == "/dashboard"


def test_labellers_of_a_blind_assessment_do_not_see_the_answer(shared_house):
    browser = shared_house.signed_in("bob", "labeller")
    for method, route in routes_of(shared_house.app):
        if (method, route.path) in READERS:
            assert sent(browser, method, path_of(route)).status_code == 403, (method, route.path)
    about = browser.get("/api/assessment").json()
    assert (about["question"], about["can_see_answer"]) == (None, False)


def test_a_link_signs_in_once(house):
    path = house.app.state.access.link()
    first = house.client.get(path)
    assert first.status_code == 200
    assert 'http-equiv="refresh" content="0; url=/"' in first.text
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert path.split("/")[-1] not in cookie  # the token of the link is not the one of the session
    assert house.client.get(path).status_code == 200  # a reload: already signed in
    house.client.cookies.clear()
    assert house.client.get(path).status_code == 403


def test_the_token_of_a_link_is_no_cookie_and_no_key(house):
    token = house.app.state.access.link().split("/")[-1]
    house.client.cookies.set(house.app.state.settings.cookie, token)
    assert house.client.get("/api/assessment").status_code == 401
    assert house.client.get("/api/assessment", headers={"authorization": f"Bearer {token}"}).status_code == 401


def test_a_key_is_for_tools_and_not_for_browsers(house):
    browser = house.signed_in("tool", "labeller", kind="key")
    assert browser.get("/api/assessment").status_code == 401
    browser.cookies.clear()
    about = browser.get("/api/assessment", headers={"authorization": f"Bearer {browser.token}"})
    assert about.json()["me"] == {"name": "tool", "role": "labeller"}


def test_name_and_password_sign_in_and_out(house):
    lw.accounts.Accounts(house.store).add("ann", "owner", "correct horse")
    wrong = house.client.post("/sign-in", data={"name": "ann", "password": "wrong horse"})
    assert wrong.status_code == 401
    assert "do not fit" in wrong.text
    done = house.client.post("/sign-in", data={"name": "ann", "password": "correct horse", "next": "/people"})
    assert (done.status_code, done.headers["location"]) == (303, "/people")
    assert house.client.get("/api/assessment").json()["me"] == {"name": "ann", "role": "owner"}
    token = house.client.cookies[house.app.state.settings.cookie]
    assert house.client.post("/sign-out").status_code == 303
    house.client.cookies.set(house.app.state.settings.cookie, token)
    assert house.client.get("/api/assessment").status_code == 401
    trail = [(entry.who, entry.what) for entry in lw.accounts.Audit(house.store).entries()][-3:]
    assert trail == [("ann", "sign-in refused"), ("ann", "signed in"), ("ann", "signed out")]


def test_too_many_tries_are_refused(house):
    lw.accounts.Accounts(house.store).add("ann", "owner", "correct horse")
    codes = [house.client.post("/sign-in", data={"name": "ann", "password": f"try {k}"}).status_code for k in range(12)]
    assert codes == [401] * 10 + [429] * 2
    late = house.client.post("/sign-in", data={"name": "ann", "password": "correct horse"})
    assert late.status_code == 429


def test_invented_names_do_not_push_the_count_of_a_name_out(house, monkeypatch):
    access, now = house.app.state.access, [0.0]
    monkeypatch.setattr(middleware, "_MOST_CALLERS", 200)
    monkeypatch.setattr(access, "_checked", lambda *_: None)
    access._tries = Rates(per_second=1 / 30, burst=10, clock=lambda: now[0])
    access._tries_from = Rates(per_second=1.0, burst=100, clock=lambda: now[0])

    async def statuses(names):
        found = []
        for name in names:
            try:
                found.append(await access.sign_in(name, "wrong horse", "10.0.0.1"))
            except RefusedError as error:
                found.append(error.status)
        return found

    assert house.client.portal.call(statuses, ["ann"] * 11) == [None] * 10 + [429]
    junk = house.client.portal.call(statuses, [f"junk {k}" for k in range(1_000)])
    assert junk.count(429) == 1_000 - 89
    now[0] += 5  # the address may try again, but not this name
    assert house.client.portal.call(statuses, ["ann"]) == [429]
    assert house.client.portal.call(statuses, ["bob"]) == [None]


def test_a_share_link_shows_the_dashboard_and_no_item_until_it_is_ended(house):
    owner = house.signed_in("ann", "owner")
    path = owner.post("/api/share").json()["url"]
    assert 'http-equiv="refresh" content="0; url=/dashboard"' in house.client.get(path).text
    assert house.client.get("/api/assessment").json()["me"]["role"] == "viewer"
    assert house.client.post("/api/ask", json={"n": 1}).status_code == 403
    assert house.client.get("/api/history").status_code == 403
    assert owner.delete("/api/share").status_code == 200
    assert house.client.get("/api/assessment").status_code == 401
    assert house.client.get(path).status_code == 403


def test_who_is_removed_is_out_at_once(house):
    lw.accounts.Accounts(house.store).add("ann", "owner", "correct horse")
    lw.accounts.Accounts(house.store).add("bob", "labeller", "battery staple")
    owner, bob = house.signed_in("ann", "owner"), house.signed_in("bob", "labeller")
    assert bob.get("/api/assessment").status_code == 200
    assert owner.delete("/api/users/bob").status_code == 200
    assert bob.get("/api/assessment").status_code == 401


@pytest.mark.parametrize(
    "path", ["//evil.example", "/\\evil.example", "https://evil.example", "/a\nb", "evil", "/" * 300]
)
def test_after_signing_in_nobody_is_sent_elsewhere(house, path):
    assert safe_path(path) == ""
    assert sign_in_path(path) == "/sign-in"
    lw.accounts.Accounts(house.store).add("ann", "owner", "correct horse")
    done = house.client.post("/sign-in", data={"name": "ann", "password": "correct horse", "next": path})
    assert done.headers["location"] == "/"


def test_a_flood_of_sign_ins_waits_in_a_short_line_of_its_own(house, monkeypatch):
    access, gate, n_started = house.app.state.access, threading.Event(), []

    def slow(*_):
        n_started.append(1)
        gate.wait(limit(20))

    monkeypatch.setattr(access, "_checked", slow)

    async def flood():
        tries = [asyncio.ensure_future(access.sign_in(f"n{k}", "x" * 9, f"10.0.0.{k}")) for k in range(40)]
        await asyncio.sleep(0.2)
        refused = [one for one in tries if one.done()]
        assert await asyncio.to_thread(lambda: 7) == 7  # other work has its threads
        gate.set()
        return len(refused), await asyncio.gather(*tries, return_exceptions=True)

    n_refused, outcomes = house.client.portal.call(flood)
    assert n_refused == 24
    assert sum(isinstance(one, RefusedError) and one.status == 429 for one in outcomes) == 24
    assert len(n_started) == 16


def test_one_address_does_not_fill_the_line_of_sign_ins(house, monkeypatch):
    access, gate = house.app.state.access, threading.Event()
    monkeypatch.setattr(access, "_checked", lambda *_: gate.wait(limit(20)) and None)

    async def flood():
        tries = [asyncio.ensure_future(access.sign_in(f"n{k}", "x" * 9, "10.0.0.1")) for k in range(40)]
        await asyncio.sleep(0.1)
        bob = asyncio.ensure_future(access.sign_in("bob", "x" * 9, "10.0.0.2"))
        await asyncio.sleep(0.1)
        n_refused, is_waiting = sum(one.done() for one in tries), not bob.done()
        gate.set()
        await asyncio.gather(*tries, bob, return_exceptions=True)
        return n_refused, is_waiting, dict(access._waiting)

    assert house.client.portal.call(flood) == (28, True, {})


def test_the_addresses_of_an_ipv6_site_count_as_one(house):
    access = house.app.state.access

    async def sign_in(k):
        try:
            return await access.sign_in("ann", "x" * 9, f"2001:db8::{k:x}")
        except RefusedError as error:
            return error.status

    assert [house.client.portal.call(sign_in, k) for k in range(12)] == [None] * 10 + [429] * 2
    assert lw.accounts.Audit(house.store).entries()[-1].about["client"] == "2001:db8::9"


def test_strangers_do_not_fill_the_line_for_those_who_signed_in_here_before(house, monkeypatch):
    access, gate = house.app.state.access, threading.Event()
    lw.accounts.Accounts(house.store).add("ann", "owner", "correct horse")
    house.client.portal.call(access.sign_in, "ann", "correct horse", "10.9.9.9")
    monkeypatch.setattr(access, "_checked", lambda *_: gate.wait(limit(20)) and None)

    async def flood():
        tries = [asyncio.ensure_future(access.sign_in(f"n{k}", "x" * 9, f"10.0.0.{k}")) for k in range(40)]
        await asyncio.sleep(0.1)
        ann = asyncio.ensure_future(access.sign_in("ann", "correct horse", "10.9.9.9"))
        await asyncio.sleep(0.1)
        is_waiting = not ann.done()
        gate.set()
        await asyncio.gather(*tries, ann, return_exceptions=True)
        return is_waiting

    assert house.client.portal.call(flood)


def test_refused_sign_ins_do_not_fill_the_audit_trail(house):
    access = house.app.state.access
    access._notes_from = Rates(per_second=1e-9, burst=5)
    for k in range(20):
        access._checked(f"n{k}", "x" * 9, "10.0.0.1")
    access._checked("bob", "x" * 9, "10.0.0.2")
    trail = [(entry.who, dict(entry.about)) for entry in lw.accounts.Audit(house.store).entries()]
    assert [who for who, _ in trail] == ["n0", "n1", "n2", "n3", "n4", "bob"]
    assert trail[-1][1] == {"by": "password", "client": "10.0.0.2", "unnoted_before": 15}


def test_a_stranger_who_signs_out_ends_nothing(house, monkeypatch):
    access, n_forgotten = house.app.state.access, []
    monkeypatch.setattr(access, "_forgotten", lambda: n_forgotten.append(1))
    house.client.post("/sign-out")
    assert not n_forgotten
    house.signed_in("ann").post("/sign-out")
    assert len(n_forgotten) == 1


def test_made_up_tokens_displace_nobody(house, monkeypatch):
    monkeypatch.setattr("labelwise.web.access._MOST_CACHED", 50)
    access, ann = house.app.state.access, house.signed_in("ann")
    ann.get("/api/assessment")
    for k in range(120):
        house.client.get("/api/assessment", headers={"authorization": f"Bearer made-up-{k}"})
    assert access.caller_of({"cookie": f"{access._settings.cookie}={ann.token}"})
    assert len(access._cache) <= 52


def test_a_name_is_guessed_at_from_many_addresses_only_so_often(house):
    lw.accounts.Accounts(house.store).add("ann", "owner", "correct horse")
    access = house.app.state.access
    access._tries_from = Rates(per_second=1e6, burst=1e6)

    async def sign_in(password, client):
        try:
            return await access.sign_in("ann", password, client)
        except RefusedError as error:
            return error.status

    def guess(password, client):
        return house.client.portal.call(sign_in, password, client)

    assert isinstance(guess("correct horse", "10.0.0.1"), str)
    found = [guess("wrong horse", f"10.1.0.{k}") for k in range(60)]
    assert found == [None] * 50 + [429] * 10
    assert guess("correct horse", "10.9.9.9") == 429
    assert isinstance(guess("correct horse", "10.0.0.1"), str)  # where ann has signed in before


def test_behind_a_proxy_with_https_cookies_are_for_https_alone(house):
    lw.accounts.Accounts(house.store).add("ann", "owner", "correct horse")
    base = "https://127.0.0.1:8765"
    browser = TestClient(house.app, base, follow_redirects=False, headers={"origin": base})
    done = browser.post("/sign-in", data={"name": "ann", "password": "correct horse"})
    assert "Secure" in done.headers["set-cookie"]


def test_whoever_a_link_signed_in_here_is_nobody_where_others_can_reach_the_server(tmp_path):
    with lw.open_store(tmp_path / "spring.lw") as store:
        new_assessment(store)
        accounts = lw.accounts.Accounts(store)
        accounts.add("ann", "owner", "correct horse")
        tokens = {name: accounts.begin(name, "owner", seconds=3600) for name in ("ann", "olaf")}
        here, others = {"ann": 200, "olaf": 200}, {"ann": 200, "olaf": 401}
        for expected, options in [
            (here, {}), (others, {"host": "0.0.0.0"}), (others, {"proxies": ("127.0.0.1",)}),
        ]:  # fmt: skip
            settings = Settings(str(tmp_path / "spring.lw"), name="main", **options)
            with TestClient(make_app(store, settings), "http://127.0.0.1:8765") as client:
                found = {}
                for name, token in tokens.items():
                    client.cookies.set(settings.cookie, token)
                    found[name] = client.get("/api/assessment").status_code
                assert found == expected


def test_whoever_guesses_keeps_nobody_out_who_has_an_open_session(house):
    lw.accounts.Accounts(house.store).add("ann", "labeller", "correct horse")
    access = house.app.state.access
    access._failures = Rates(per_second=1e-9, burst=0.0)  # somebody has guessed at every name
    fresh = house.client.post("/sign-in", data={"name": "ann", "password": "correct horse"})
    assert (fresh.status_code, fresh.headers["retry-after"]) == (429, "60")
    bob = house.signed_in("bob")
    assert bob.post("/sign-in", data={"name": "ann", "password": "correct horse"}).status_code == 429
    browser = house.signed_in("ann")
    again = browser.post("/sign-in", data={"name": "ann", "password": "correct horse"}, follow_redirects=False)
    assert again.status_code == 303


def test_a_name_or_password_of_any_length_costs_nothing(house, monkeypatch):
    monkeypatch.setattr(house.app.state.access.accounts, "check", lambda *args: pytest.fail("it was looked up"))
    for fields in ({"name": "a" * 101, "password": "x"}, {"name": "ann", "password": "x" * 1_001}):
        assert house.client.post("/sign-in", data=fields).status_code == 401
