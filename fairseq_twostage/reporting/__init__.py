"""Results files → tables, figures, tests and counts of errors. Plain Python, NumPy, matplotlib."""
