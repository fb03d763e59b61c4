"""Accounts: who may sign in to a store's server, with which role, and the audit trail of their actions."""

from labelwise.accounts.accounts import Account, Accounts
from labelwise.accounts.audit import Audit, Entry
from labelwise.accounts.sessions import Session

__all__ = ["Account", "Accounts", "Audit", "Entry", "Session"]
