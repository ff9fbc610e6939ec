"""The paper's tables: results, the report of them, the runs that make them; in no wheel."""
