"""Every number on the pages of a published event, computed again from the published files alone.

The standard library only, and nothing of the program that wrote the pages: a copy of this folder
lies beside them. `python -m recompute .` in the folder of the event says which figure is wrong.
"""
