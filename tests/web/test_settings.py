"""What a server is started with, and the names it answers to."""

import socket

import pytest

from labelwise.web import Settings


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_this_machine_alone(host):
    assert Settings("spring.lw", host=host).is_local


def test_a_server_for_others_answers_to_its_addresses_and_names_and_to_no_other_name():
    settings = Settings("spring.lw", host="0.0.0.0", hosts=("Label.example",))
    assert not settings.is_local
    yes = ["10.0.0.7:8765", "192.168.1.5", "[fe80::1]:80", "label.example", "LABEL.EXAMPLE:443", socket.gethostname()]
    no = ["evil.example", "label.example.evil", "10.0.0.7.evil.example", "10.0.0", "label.example:80:80", ""]
    assert [settings.answers_to(host) for host in yes + no] == [True] * len(yes) + [False] * len(no)


def test_cookies_of_two_ports_differ():
    assert Settings("spring.lw", port=1).cookie != Settings("spring.lw", port=2).cookie
