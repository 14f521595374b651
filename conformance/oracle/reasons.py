"""Every reason for a refusal, in the order in which they are looked for, with its rule."""

RULE_OF = {
    "GAME_OVER": "game.over",
    "HAND_OVER": "deal.over",
    "SITTING_OUT": "action.sitting-out",
    "NOT_YOUR_TURN": "action.turn",
    "UNKNOWN_ACTION": "action.form",
    "WRONG_PHASE": "action.phase",
    "CARD_NOT_HELD": "play.card-held",
    "MUST_FOLLOW_SUIT": "play.follow-suit",
    "DISCARD_UPCARD_FORBIDDEN": "discard.may-be-upcard",
    "SUIT_TURNED_DOWN": "round-two.not-turned-suit",
    "DEALER_STUCK": "round-two.stick",
    "NEEDS_TRUMP": "round-one.void-order",
    "PARTNER_MUST_GO_ALONE": "round-one.dealer-partner-alone",
    "ALONE_NOT_ALLOWED": "alone.who",
    "ALONE_TOO_LATE": "alone.when",
    "DEFEND_ALONE_OFF": "defend.alone",
    "DEFEND_ALONE_NO_LONER": "defend.alone",
    "NOT_QUALIFIED": "house.not-qualified",
}

RULE_ORDER = tuple(RULE_OF)[6:]
"""The reasons that are rules of the game; the six before them concern form, turn and phase."""

WORDS = ("pass", "order", "name", "discard", "alone", "decline", "play", "redeal", "swap", "give")

WORDS_IN = {
    "house": ("pass", "redeal", "swap"),
    "partners_best": ("give",),
    "round_one": ("pass", "order"),
    "round_two": ("pass", "name"),
    "dealer_names": ("pass", "name"),
    "discard": ("discard",),
    "alone": ("alone", "decline"),
    "play": ("play",),
    "over": (),
}
