package funnel;

import funnel.operator.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * All element types; in the emulator ints and another type, drawn for each test: the kernels of all
 * types have one source.
 */
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(Types.Drawn.class)
public @interface Types {

  /** Draws the types. */
  final class Drawn implements ArgumentsProvider {
    @Override
    public Stream<? extends Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      String test = context.getRequiredTestClass().getName();
      SplittableRandom random = Seed.random(test + context.getRequiredTestMethod().getName());
      int drawn = random.nextInt(1, ElementType.values().length);
      return Arrays.stream(ElementType.values())
          .filter(
              type ->
                  !test.contains("Emulat")
                      || type == ElementType.INT
                      || (type.ordinal() - ElementType.INT.ordinal() + 5) % 5 == drawn
                      || Seed.draws(random, 20))
          .map(Arguments::of);
    }
  }
}
