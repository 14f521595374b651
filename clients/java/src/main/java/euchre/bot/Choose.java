package euchre.bot;

import java.util.List;

/** A bot: the view and the legal actions go in, one of the actions comes out. */
@FunctionalInterface
public interface Choose {
  /**
   * One of the legal actions, as text.
   *
   * <p>After a refused action the same question comes again, with {@link View#refused} filled in.
   */
  String choose(View view, List<String> legal);
}
