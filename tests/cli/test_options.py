"""Options: every one is explained, and shows what it takes."""

from labelwise.cli import options


def test_every_option_has_a_help_text_and_a_word_for_its_value():
    declared = {name: kind for name, kind in vars(options).items() if hasattr(kind, "__metadata__")}
    assert len(declared) > 25
    for name, kind in declared.items():
        option = kind.__metadata__[0]
        assert option.help, name
        assert kind.__origin__ is bool or option.metavar, name  # a switch takes no value
