"""A page and an HTTP API to ask a trained parser."""
