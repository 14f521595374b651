"""Who meets whom: the formats of an event, byes and forbidden pairs, tie-breaks and standings.

Pure: a format is built from the entrants and its options, and asked for the next round with all
rounds played so far. It holds nothing between two questions, so an event resumes by asking again.
A round may have no encounters, where withdrawals or forbidden pairs leave only byes.
"""
