"""A tournament: from a file and some bots to standings that anybody can verify."""
