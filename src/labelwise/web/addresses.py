"""Addresses of clients as limits count them."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

_SITE = 64  # bits of an IPv6 address that are a site's; the others are for each machine to choose


@lru_cache(4096)
def origin_of(address: str) -> str:
    """Return what a client's address counts as: of IPv6 the site's network, in which one machine has all addresses.

    Examples
    --------
    >>> origin_of("10.0.0.7"), origin_of("::ffff:10.0.0.7"), origin_of("2001:db8:0:1:2:3:4:5")
    ('10.0.0.7', '10.0.0.7', '2001:db8:0:1::/64')
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # a proxy's word, or none
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), _SITE), strict=False))
