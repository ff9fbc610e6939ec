"""A database as a domain: its semantic layer, and logical forms as SQL."""
