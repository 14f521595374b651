//! A Euchre bot: change `choose`.

use euchre_bot::View;

/// Calls when we hold three of the suit; plays the first legal card.
fn choose(view: &View, legal: &[String]) -> String {
    let suit = view.upcard.as_deref().and_then(|card| card.chars().last());
    let held = view.hand.iter().filter(|card| card.chars().last() == suit).count();
    let order = legal.iter().find(|action| *action == "order" && held > 2);
    order.unwrap_or(&legal[0]).clone()
}

fn main() -> std::process::ExitCode {
    euchre_bot::run("@NAME@", choose)
}
