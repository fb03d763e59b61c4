"""How many labels an answer takes, beside the papers' methods in the same simulation."""
