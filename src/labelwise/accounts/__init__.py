"""Accounts: who may sign in to a server of a store, with which role, and the audit trail of what they did."""

from labelwise.accounts.accounts import Account, Accounts
from labelwise.accounts.audit import Audit, Entry
from labelwise.accounts.sessions import ROLES, Session

__all__ = ["ROLES", "Account", "Accounts", "Audit", "Entry", "Session"]
