"""The pages as they leave the server."""

import re

import pytest

import labelwise as lw

PAGES = ["/", "/dashboard", "/history", "/disputes", "/people"]


@pytest.mark.parametrize("path", [*PAGES, "/sign-in"])
def test_a_page_has_no_inline_script_or_style_and_asks_no_other_host(shared_house, path):
    text = shared_house.signed_in("ann", "owner").get(path).text
    assert text.startswith("<!doctype html>")
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"\son[a-z]+\s*=", text)
    assert " style=" not in text
    assert "<style" not in text
    assert "//" not in re.sub(r"<!--.*?-->", "", text).replace("http://www.w3.org/2000/svg", "")


def test_files_that_pages_name_are_there(shared_house):
    browser = shared_house.signed_in("ann", "owner")
    for path in PAGES:
        for name in re.findall(r'(?:src|href)="(/static/[^"]+)"', browser.get(path).text):
            answer = browser.get(name)
            assert answer.status_code == 200, name
            is_named_by_content = "?v=" in name
            assert ("immutable" in answer.headers["cache-control"]) == is_named_by_content


def test_navigation_shows_what_the_role_may_open(shared_house):
    owner, labeller = (shared_house.signed_in("ann", role).get("/").text for role in ("owner", "labeller"))
    assert 'href="/people"' in owner
    assert 'href="/people"' not in labeller
    assert 'href="/dashboard"' not in labeller  # the assessment is blind


def test_who_is_not_signed_in_comes_back_to_where_they_wanted_to_go(house):
    answer = house.client.get("/people")
    assert answer.headers["location"] == "/sign-in?next=%2Fpeople"
    assert "<form" not in house.client.get("/sign-in").text  # nobody has an account: the printed link is the way in
    lw.accounts.Accounts(house.store).add("ann", "owner", "correct horse")
    assert 'value="/people"' in house.client.get(answer.headers["location"]).text


def test_names_are_escaped(house):
    text = house.signed_in('<img src=x onerror="alert(1)">', "owner").get("/").text
    assert "<img src=x" not in text
    assert "&lt;img src=x" in text


def test_an_error_is_a_page_to_people_and_json_to_tools(shared_house):
    page = shared_house.client.get("/nowhere", headers={"accept": "text/html"})
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    tool = shared_house.client.get("/nowhere")
    assert (tool.status_code, tool.json()) == (404, {"error": "There is nothing here.", "code": "refused"})
    wrong = shared_house.client.get("/api/ask")
    assert wrong.status_code == 405


@pytest.mark.parametrize("body", [b"name=%ff%fe", b"&" * 50, b"name", b""])
def test_a_form_that_cannot_be_read_is_refused(house, body):
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert house.client.post("/sign-in", content=body, headers=headers).status_code in (400, 401)
    assert house.client.post("/sign-in", content=body, headers={"content-type": "text/plain"}).status_code == 415
