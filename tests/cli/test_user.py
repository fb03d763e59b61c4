"""`labelwise user`: accounts from the command line; a password is asked for twice and never shown."""

import json

import pytest

import labelwise as lw

GOOD = "correct horse"


@pytest.fixture
def user(spring, command):
    """Runs `labelwise user WORD spring.lw ...`."""
    return lambda word, *words, stdin="": command("user", word, "spring.lw", *words, stdin=stdin)


@pytest.fixture
def team(user):
    """An owner and a labeller."""
    assert user("add", "ann", "--role", "owner", "--password-stdin", stdin=f"{GOOD}\n").out == "Added 'ann' as owner.\n"
    assert user("add", "bob", "--password-stdin", stdin=f"{GOOD}\r\n").out == "Added 'bob' as labeller.\n"


def checked(name, password):
    with lw.open_store("spring.lw") as store:
        found = lw.accounts.Accounts(store).check(name, password)
    return None if found is None else found.role


def test_accounts_are_added_and_listed(team, user):
    assert (checked("ann", GOOD), checked("bob", GOOD)) == ("owner", "labeller")
    done = user("list")
    assert [line.split()[:2] for line in done.out.splitlines()] == [["name", "role"], ["ann", "owner"],
                                                                     ["bob", "labeller"]]  # fmt: skip
    found = user("list", "--json").document["accounts"]
    assert [(one["name"], one["role"]) for one in found] == [("ann", "owner"), ("bob", "labeller")]
    assert found[0]["changed"].endswith("Z")


def test_a_store_without_accounts_says_how_to_add_one(user):
    assert user("list").out == "No account yet. Add one: labelwise user add.\n"
    assert user("list", "--json").document == {"accounts": []}


def test_role_password_and_removal(team, user):
    assert user("role", "bob", "viewer").out == "'bob' is a viewer now; their sessions and keys ended.\n"
    done = user("password", "bob", "--password-stdin", stdin="battery staple")
    assert done.out == "Changed the password of 'bob'; their sessions and keys ended.\n"
    assert (checked("bob", GOOD), checked("bob", "battery staple")) == (None, "viewer")
    assert user("remove", "bob").out == "Removed 'bob'; their sessions and keys ended.\n"
    assert checked("bob", "battery staple") is None


def test_a_key_is_good_until_the_account_changes(team, user):
    token = user("key", "bob").out.strip()
    with lw.open_store("spring.lw") as store:
        found = lw.accounts.Accounts(store).session_of(token)
    assert (found.name, found.role, found.kind) == ("bob", "labeller", "key")
    document = user("key", "bob", "--days", 30, "--json").document
    assert (document["role"], len(document["key"])) == ("labeller", 43)
    user("role", "bob", "viewer")
    with lw.open_store("spring.lw") as store:
        assert lw.accounts.Accounts(store).session_of(token) is None


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["add", "ann", "--password-stdin"], 4, "Account 'ann' already exists in 'spring.lw'."),
        (["add", "eve"], 2, "A password is asked for at a terminal. Give --password-stdin to read it from a pipe."),
        (["add", "eve", "--role", "king", "--password-stdin"], 2, "`--role` must be one of 'viewer', 'labeller', 'ow"),
        (["add", "", "--password-stdin"], 2, "An account name must not be empty."),
        (["password", "eve"], 3, "There is no account 'eve' in 'spring.lw'. Available: 'ann', 'bob'."),
        (["remove", "bbo"], 3, "There is no account 'bbo' in 'spring.lw'. Did you mean 'bob'?"),
        (["key", "eve"], 3, "There is no account 'eve' in 'spring.lw'."),
        (["remove", "ann"], 4, "'ann' is the only owner of 'spring.lw' and cannot be removed."),
        (["role", "ann", "viewer"], 4, "'ann' is the only owner of 'spring.lw' and cannot be made a viewer."),
        (["role", "bob", "king"], 2, "`role` must be one of 'viewer', 'labeller', 'owner', but is 'king'."),
    ],
)
def test_what_cannot_be_is_refused_by_code_and_sentence(team, user, words, code, sentence):
    done = user(*words, stdin="battery staple")
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith(f"Error: {sentence}")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("raw", [b"s3cret\n", b"\xff\xfes3cret!", b"s3cret" * 1_000])
def test_a_password_that_cannot_be_one_is_refused_and_not_shown(user, raw):
    done = user("add", "ann", "--password-stdin", stdin=raw)
    assert (done.code, done.out) == (2, "")
    assert "s3cret" not in done.err


def test_a_terminal_asks_twice_and_shows_nothing(spring, terminal):
    one = terminal("user", "add", "spring.lw", "ann", "--role", "owner", cwd=spring.parent)
    for words in ("Password: ", "Again: "):
        one.wait_for(words)
        one.press(f"{GOOD}\n")
    one.wait_for("Added 'ann' as owner.")
    assert one.end() == 0
    assert GOOD not in one.screen
    assert checked("ann", GOOD) == "owner"


def test_two_passwords_that_differ_change_nothing(spring, terminal):
    one = terminal("user", "add", "spring.lw", "ann", cwd=spring.parent)
    one.wait_for("Password: ")
    one.press(f"{GOOD}\n")
    one.wait_for("Again: ")
    one.press("battery staple\n")
    one.wait_for("Error: The two passwords are not the same; nothing was changed. Try again.")
    assert one.end() == 2
    assert checked("ann", GOOD) is None


@pytest.mark.parametrize("name", ["'; DROP TABLE accounts; --", "🦉 {at} ? %s", "\\x00"])
def test_any_text_is_a_name(team, user, name):
    assert user("add", name, "--password-stdin", stdin=GOOD).code == 0
    assert name in [one["name"] for one in user("list", "--json").document["accounts"]]
    assert user("remove", name).code == 0
    assert len(user("list", "--json").document["accounts"]) == 2


def test_the_trail_says_who_it_was_and_nothing_secret(team, user, command, monkeypatch):
    import getpass

    monkeypatch.setattr(getpass, "getuser", lambda: "mary")
    token = user("key", "bob").out.strip()
    user("password", "bob", "--password-stdin", stdin="battery staple")
    user("remove", "bob")
    document = command("store", "audit", "spring.lw", "--json").document
    assert [entry["what"] for entry in document["entries"]] == [
        "account added", "account added", "key made", "password changed", "account removed",
    ]  # fmt: skip
    assert document["entries"][-1]["who"] == "mary (command line)"
    said = json.dumps(document)
    assert not [secret for secret in (token, GOOD, "battery", "argon2") if secret in said]


def test_a_team_in_a_database_works_the_same(postgres, folder, command):
    where = postgres.fresh()
    assert command("new", where, "predictions.csv", "--seed", 1).code == 0
    assert command("user", "add", where, "ann", "--role", "owner", "--password-stdin", stdin=GOOD).code == 0
    assert command("user", "list", where, "--json").document["accounts"][0]["name"] == "ann"
    assert command("store", "audit", where, "--json").document["n_entries"] == 1
    assert command("store", "verify", where).code == 0


def test_sessions_are_listed_and_revoked_also_of_people_without_an_account(team, user):
    assert user("sessions").out == "Nobody is signed in.\n"
    with lw.open_store("spring.lw") as store:
        tokens = [
            lw.accounts.Accounts(store).begin("olaf", "owner", seconds=3600),
            lw.accounts.Accounts(store).begin("bob", "labeller", seconds=3600, kind="key"),
        ]
    found = user("sessions", "--json").document["sessions"]
    assert [(one["name"], one["role"], one["kind"]) for one in found] == [
        ("bob", "labeller", "key"), ("olaf", "owner", "session"),
    ]  # fmt: skip
    assert "olaf" in user("sessions").out
    assert user("revoke", "olaf").out == "Ended 1 session of 'olaf'.\n"
    assert user("revoke", "nobody").out == "Ended 0 sessions of 'nobody'.\n"
    with lw.open_store("spring.lw") as store:
        assert [lw.accounts.Accounts(store).session_of(token) is None for token in tokens] == [True, False]
    assert [one["name"] for one in user("sessions", "--json").document["sessions"]] == ["bob"]
