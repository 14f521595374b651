"""The sealed deal: commit-reveal shuffles that anyone can check."""
