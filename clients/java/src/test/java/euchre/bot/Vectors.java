package euchre.bot;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The vectors that all clients share; the tests run in the folder of this client. */
public final class Vectors {
  private static final Path TOP = Path.of("..", "..");

  private Vectors() {}

  /** The cases of a file, named from the top of the repository. */
  public static List<JsonObject> cases(String file) {
    try {
      return JsonParser.parseString(Files.readString(TOP.resolve(file)))
          .getAsJsonObject()
          .getAsJsonArray("cases")
          .asList()
          .stream()
          .map(JsonElement::getAsJsonObject)
          .toList();
    } catch (IOException err) {
      throw new UncheckedIOException(err);
    }
  }
}
