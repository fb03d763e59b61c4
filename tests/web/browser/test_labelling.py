"""Labelling in a real browser: thirty digits by keyboard, undo and redo, skip and "don't know", corrections."""

import numpy as np
import pytest

import labelwise as lw
from browsing import House, drawn_digits, events_of, item_of, kept, press, wait_for_item, wait_for_sent


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    return drawn_digits(tmp_path_factory.mktemp("digits"))


@pytest.fixture(scope="module")
def truth(drawn):
    return drawn[1].truth


@pytest.fixture(scope="module")
def house(chromium, drawn):
    where, _ = drawn
    house = House(chromium, where, "--images", where.removesuffix("spring.lw"), "--labeller", "olga")
    yield house
    house.end()


def belief_of(where):
    with lw.open_store(where) as store:
        return np.asarray(store.open("main").belief.mean())


def undo(page, n=1):
    """Take back, and wait until each item is there again; give their ids."""
    found = []
    for _ in range(n):
        item = item_of(page)
        page.keyboard.press("u")
        found.append(wait_for_item(page, other_than=item))
    return found


def test_the_printed_link_signs_in_and_thirty_digits_are_labelled_by_keyboard(house, truth):
    page = house.context().new_page()
    page.goto(house.server.link)
    wait_for_item(page)
    assert page.url == f"{house.base}/"  # the secret of the link is out of sight
    items = [press(page, truth[item_of(page)]) for _ in range(30)]
    wait_for_sent(page)
    assert len(set(items)) == 30
    found = kept(house.where, "olga")
    assert sorted((one.id, one.label) for one in found) == sorted((item, truth[item]) for item in items)
    assert [event.kind for event in events_of(house.where, "told", "olga")] == ["told"] * 30  # none was sent twice
    page.wait_for_function("() => document.querySelector('.tally-mine .big').textContent === '30'")


def test_every_key_is_printed_on_its_button_and_the_button_does_the_same(house):
    page = house.labelling(house.signed_in("bea"))
    keys = page.eval_on_selector_all(".class", "all => all.map((one) => [one.innerText.trim().split(/\\s+/)])")
    assert keys == [[[str(k), str(k)]] for k in range(10)]
    item = item_of(page)
    page.get_by_role("button", name="7", exact=True).click()
    wait_for_item(page, other_than=item)
    wait_for_sent(page)
    assert [(one.id, one.label) for one in kept(house.where, "bea")] == [(item, "7")]


def test_undo_brings_the_item_back_and_the_belief_returns_exactly(house, truth):
    page = house.labelling(house.signed_in("cid"))
    press(page, truth[item_of(page)])
    wait_for_sent(page)
    before = belief_of(house.where)
    item = item_of(page)
    press(page, str((int(truth[item]) + 1) % 10))
    wait_for_sent(page)
    assert not np.array_equal(belief_of(house.where), before)
    assert undo(page) == [item]
    page.get_by_text(f"You answered: {(int(truth[item]) + 1) % 10}").wait_for()
    assert np.array_equal(belief_of(house.where), before)
    press(page, truth[item])
    wait_for_sent(page)
    assert (kept(house.where, "cid")[-1].id, kept(house.where, "cid")[-1].label) == (item, truth[item])


@pytest.mark.slow  # seconds in a browser
def test_fifty_steps_are_undone_also_after_a_reload_and_said_again(house, truth):
    before = belief_of(house.where)
    page = house.labelling(house.signed_in("dan"))
    items = [press(page, truth[item_of(page)]) for _ in range(52)]
    wait_for_sent(page)
    assert undo(page, 25) == items[:26:-1]
    page.reload()
    assert wait_for_item(page) == items[27]
    page.get_by_text(f"You answered: {truth[items[27]]}").wait_for()
    assert undo(page, 27) == items[26::-1]
    assert kept(house.where, "dan") == []
    assert np.array_equal(belief_of(house.where), before)
    again = [press(page, "Shift+U") for _ in range(52)]
    wait_for_sent(page)
    assert again == items
    assert sorted((one.id, one.label) for one in kept(house.where, "dan")) == sorted((i, truth[i]) for i in items)
    assert page.locator("#redo").is_hidden()


def test_undo_without_a_connection_waits_and_loses_nothing(house):
    context = house.signed_in("eve")
    page = house.labelling(context)
    context.set_offline(True)
    item = press(page, "3")
    page.keyboard.press("u")
    page.get_by_text("Cannot undo yet: your last label has not been sent.").wait_for()
    context.set_offline(False)
    wait_for_sent(page)
    assert [(one.id, one.label) for one in kept(house.where, "eve")] == [(item, "3")]
    assert undo(page) == [item]
    press(page, "4")
    wait_for_sent(page)
    assert [(one.id, one.label) for one in kept(house.where, "eve")] == [(item, "4")]


def test_skip_and_dont_know_differ_and_are_kept_with_a_reason(house):
    page = house.labelling(house.signed_in("fay"))
    skipped = item_of(page)
    page.keyboard.press("s")
    page.get_by_role("heading", name="Why skip this item?").wait_for()
    page.keyboard.press("2")
    page.fill("#skip-text", "7 of 9, or 1")
    page.keyboard.press("Enter")
    unknown = wait_for_item(page, other_than=skipped)
    press(page, "d")
    wait_for_sent(page)
    said = [(event.reason, event.is_unknown) for event in events_of(house.where, "skipped", "fay")]
    assert said == [("none of the classes fits: 7 of 9, or 1", False), ("", True)]
    assert [one.id for one in kept(house.where, "fay", status="skipped")] == [skipped]
    assert [one.id for one in kept(house.where, "fay", status="unknown")] == [unknown]
    assert kept(house.where, "fay") == []
    assert undo(page, 2) == [unknown, skipped]
    page.get_by_text("You skipped it").wait_for()
    press(page, "Shift+U")
    wait_for_sent(page)
    assert events_of(house.where, "skipped", "fay")[-1].reason == "none of the classes fits: 7 of 9, or 1"


def test_a_skip_that_is_called_off_says_nothing(house):
    page = house.labelling(house.signed_in("gus"))
    item = item_of(page)
    page.keyboard.press("s")
    page.locator("#skip-dialog[open]").wait_for()
    page.keyboard.press("Escape")
    page.locator("#skip-dialog[open]").wait_for(state="detached")
    assert item_of(page) == item
    press(page, "5")
    wait_for_sent(page)
    assert [(one.id, one.label) for one in kept(house.where, "gus")] == [(item, "5")]
    assert events_of(house.where, "skipped", "gus") == []


@pytest.mark.parametrize("field", ["#reason-0", "#skip-text"])
def test_a_key_right_after_the_dialog_closed_is_not_lost(house, field):
    """A dialog that closed keeps the focus until the next frame; fast hands are faster."""
    page = house.labelling(house.signed_in("ivo"))
    item = item_of(page)
    page.keyboard.press("s")
    page.locator("#skip-dialog[open]").wait_for()
    page.evaluate(
        """(field) => {
            document.querySelector("#skip-dialog").close();
            document.querySelector(field).dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
        }""",
        field,
    )
    wait_for_item(page, other_than=item)
    wait_for_sent(page)
    assert [(one.id, one.label) for one in kept(house.where, "ivo")][-1] == (item, "1")


@pytest.mark.slow  # seconds in a browser
@pytest.mark.parametrize("key", ["?", "h"])
def test_the_keys_are_listed(house, key):
    page = house.labelling(house.signed_in("hal"))
    page.keyboard.press(key)
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    dialog.wait_for()
    for words in ("Skip, with a reason", "Don’t know", "Undo the last answer", "This list"):
        assert dialog.get_by_text(words).is_visible()
    assert dialog.locator("kbd").all_inner_texts()[:10] == [str(k) for k in range(10)]
    item = item_of(page)
    page.keyboard.press("7")  # the list is to be read: its keys do nothing while it is open
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    assert item_of(page) == item


def test_keys_do_nothing_in_text_fields_nor_with_ctrl_alt_or_command(house):
    page = house.labelling(house.signed_in("ida"))
    item = item_of(page)
    for keys in ("Control+3", "Alt+3", "Meta+3", "Control+u", "Alt+d"):
        page.keyboard.press(keys)
    page.keyboard.press("s")
    page.locator("#skip-text").focus()
    page.keyboard.type("3 d u s ? 7")
    assert page.input_value("#skip-text") == "3 d u s ? 7"
    page.keyboard.press("Escape")
    page.evaluate(
        "() => { const field = document.createElement('textarea'); field.id = 'own'; document.body.append(field);"
        " field.focus(); }"
    )
    page.keyboard.type("12 du")
    assert page.input_value("#own") == "12 du"
    assert item_of(page) == item
    page.evaluate("() => document.getElementById('own').remove()")
    press(page, "1")  # and they work again
    wait_for_sent(page)
    assert [(one.id, one.label) for one in kept(house.where, "ida")] == [(item, "1")]
    assert events_of(house.where, "skipped", "ida") == []


def test_a_key_that_is_held_down_labels_one_item(house):
    page = house.labelling(house.signed_in("jon"))
    item = item_of(page)
    for _ in range(5):
        page.keyboard.down("6")  # the second and later ones are repeats
    page.keyboard.up("6")
    wait_for_item(page, other_than=item)
    wait_for_sent(page)
    assert [(one.id, one.label) for one in kept(house.where, "jon")] == [(item, "6")]


@pytest.mark.slow  # seconds in a browser
@pytest.mark.parametrize("is_same_tab", [True, False], ids=["in the same tab", "in a tab of its own"])
def test_an_earlier_label_is_corrected_from_the_history(house, is_same_tab):
    name = f"kim {is_same_tab}"
    context = house.signed_in(name, "labeller")
    page = house.labelling(context)
    items = [press(page, "2") for _ in range(3)]
    wait_for_sent(page)
    if is_same_tab:
        page.get_by_role("link", name="History").click()
    else:
        page = house.page(context, "/history")
    page.get_by_role("button", name=f"Correct {items[0]}").click()
    page.wait_for_url(f"{house.base}/")
    assert wait_for_item(page) == items[0]
    page.get_by_text("You answered: 2").wait_for()
    press(page, "9")
    wait_for_sent(page)
    assert {one.id: one.label for one in kept(house.where, name)} == {items[0]: "9", items[1]: "2", items[2]: "2"}


@pytest.mark.slow  # seconds in a browser
def test_a_label_is_taken_back_from_the_history_and_both_stay_in_it(house):
    context = house.signed_in("leo", "labeller")
    page = house.labelling(context)
    items = [press(page, "8") for _ in range(2)]
    wait_for_sent(page)
    page.get_by_role("link", name="History").click()
    page.get_by_role("button", name=f"Withdraw {items[0]}").click()
    page.get_by_text(f"Withdrawn: {items[0]}.").wait_for()
    assert [one.id for one in kept(house.where, "leo")] == [items[1]]
    assert [event.kind for event in events_of(house.where, "withdrawn", "leo")] == ["withdrawn"]
    assert len(events_of(house.where, "told", "leo")) == 2


@pytest.mark.slow  # seconds in a browser
def test_the_picture_is_shown_fitted_and_in_actual_size(house):
    page = house.labelling(house.signed_in("mia"))
    width = "() => document.querySelector('#item img').getBoundingClientRect().width"
    fitted = page.evaluate(width)
    page.keyboard.press("z")
    page.locator(".zoom[aria-pressed=true]").wait_for()
    assert page.evaluate(width) == 96  # eight squares of twelve pixels
    page.keyboard.press("z")
    page.locator(".zoom[aria-pressed=false]").wait_for()
    assert page.evaluate(width) == fitted > 96
