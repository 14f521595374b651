"""What a director publishes of an event: pages, tables, records, and the way to check them all.

Everything but `write` is pure: a document and the public records in, files by their names out. The
same event gives the same bytes, which is how `verify` proves the pages.
"""
