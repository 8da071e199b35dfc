package funnel.bench;

import java.awt.Color;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.knowm.xchart.internal.chartpart.Annotation;

/** Names at the right ends of lines, moved apart where they would overlap. */
final class EndLabels extends Annotation {

  private static final int GAP = 8;

  /** Covers lines that pass a name's place. */
  private static final Color VEIL = new Color(255, 255, 255, 200);

  private record Label(String text, double x, double y, Color colour) {}

  private final List<Label> labels = new ArrayList<>();
  private final int distance;

  /**
   * Makes an empty set.
   *
   * @param distance the least distance between two names
   */
  EndLabels(int distance) {
    super(false);
    this.distance = distance;
  }

  void add(String text, double x, double y, Color colour) {
    labels.add(new Label(text, x, y, colour));
  }

  @Override
  public void paint(Graphics2D graphics) {
    labels.sort(Comparator.comparingDouble(Label::x).thenComparingDouble(label -> -label.y));
    int[] places = labels.stream().mapToInt(label -> getYAxisScreenValue(label.y)).toArray();
    for (int i = 1; i < places.length; i++) {
      if (labels.get(i).x == labels.get(i - 1).x) {
        places[i] = Math.max(places[i], places[i - 1] + distance);
      }
    }
    int lowest = Math.max(getYAxisScreenValueForMin(), getYAxisScreenValueForMax()) - GAP;
    for (int i = places.length - 1; i >= 0; i--) {
      boolean isLast = i == places.length - 1 || labels.get(i).x != labels.get(i + 1).x;
      places[i] = Math.min(places[i], isLast ? lowest : places[i + 1] - distance);
    }
    graphics.setFont(SpeedChart.FONT);
    FontMetrics metrics = graphics.getFontMetrics();
    int baseline = (metrics.getAscent() - metrics.getDescent()) / 2;
    for (int i = 0; i < places.length; i++) {
      Label label = labels.get(i);
      int left = getXAxisScreenValue(label.x) + GAP;
      graphics.setColor(VEIL);
      graphics.fillRect(left, places[i] - GAP, metrics.stringWidth(label.text), 2 * GAP);
      graphics.setColor(label.colour);
      graphics.drawString(label.text, left, places[i] + baseline);
    }
  }
}
