"""A stronger bot: what it is shown, the worlds that fit, and the best action over them."""

from euchre_bot.bots.strong.bot import BUDGET_MS, Effort, Strong

__all__ = ["BUDGET_MS", "Effort", "Strong"]
