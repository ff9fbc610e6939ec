"""Faults put into the commands one by one; ``python -m tests.faults`` runs them all."""
