#!/usr/bin/env python3
"""Let DuckDB answer a query with one number: duckdb_query.py QUERY."""

import sys

import duckdb

session = duckdb.connect()
session.execute("set enable_progress_bar = false")
print(session.execute(sys.argv[1]).fetchall()[0][0])
