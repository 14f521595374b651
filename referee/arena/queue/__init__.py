"""Work to be done once: tasks, the workers that lease them, and their results."""
