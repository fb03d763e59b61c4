"""The reference of commands: every one is in it, and the committed page is what the help says now."""

from website.commands import KINDS, PATH, commands, reference

COMMANDS = commands()


def test_the_committed_reference_is_what_the_help_says():
    assert PATH.read_text(encoding="utf-8") == reference(), "run `make reference`"


def test_every_command_and_option_is_documented():
    text = reference()
    for name, command in COMMANDS.items():
        assert f"\n### {name}\n" in text
        for option in command.params:
            if option.param_type_name == "option":
                assert f"`{option.opts[0]}`" in text
                assert option.help


def test_every_command_has_its_kind():
    named = [name for names in KINDS.values() for name in names]
    assert len(named) == len(set(named))
    assert set(COMMANDS) <= set(named), "name the new command in website/commands.py"
