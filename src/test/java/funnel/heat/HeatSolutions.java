package funnel.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.operator.ElementType;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Solutions in closed form of the equation, and of its steps, on any engine. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class HeatSolutions {

  private Funnel funnel;

  abstract Funnel open();

  Funnel funnel() {
    return funnel;
  }

  /** How many steps to take where many are only many times the same. */
  int steps(int usual) {
    return usual;
  }

  @BeforeAll
  void openFunnel() {
    funnel = open();
  }

  @AfterAll
  void closeFunnel() {
    funnel.close();
  }

  static HeatProblem.Builder square(int n, ElementType type) {
    return HeatProblem.builder(n, n).type(type);
  }

  /** An eigenvector of the discrete problem is multiplied by its eigenvalue in each step. */
  private void requireDecay(
      HeatProblem.Builder builder,
      double cx,
      double cy,
      double thx,
      double thy,
      DoubleBinaryOperator m) {
    int steps = 40;
    double x = Math.sin(thx / 2);
    double y = Math.sin(thy / 2);
    double g = Math.pow(1 - 4 * cx * x * x - 4 * cy * y * y, steps);
    HeatProblem problem = builder.initial(m).build();
    assertEquals(cx, problem.dt() / (problem.dx() * problem.dx()), 1e-15);
    try (Heat2D heat = problem.open(funnel)) {
      double[] u = heat.step(steps).toDoubles();
      for (int j = 0; j < problem.ny(); j++) {
        for (int i = 0; i < problem.nx(); i++) {
          double expected = g * m.applyAsDouble(i * problem.dx(), j * problem.dy());
          assertEquals(expected, u[j * problem.nx() + i], steps * 4 * Math.ulp(1.0));
        }
      }
    }
  }

  @Test
  void sineModesDecayByTheDiscreteEigenvalue() {
    int n = 24;
    double cx = 0.1875;
    for (int p = 1; p <= 7; p += 3) {
      double fixed = p * Math.PI / (n - 1);
      requireDecay(
          square(n, ElementType.DOUBLE).dt(cx).sides(Side.dirichlet()),
          cx,
          cx,
          fixed,
          2 * fixed,
          (x, y) -> Math.sin(fixed * x) * Math.sin(2 * fixed * y));
      double insulated = p * Math.PI / n;
      requireDecay(
          square(n, ElementType.DOUBLE).dt(cx),
          cx,
          cx,
          insulated,
          insulated,
          (x, y) -> Math.cos(insulated * (x + 0.5)) * Math.cos(insulated * (y + 0.5)));
      double periodic = 2 * p * Math.PI / n;
      requireDecay(
          square(n, ElementType.DOUBLE).dt(cx).sides(Side.periodic()),
          cx,
          cx,
          periodic,
          periodic,
          (x, y) -> Math.cos(periodic * x) * Math.cos(periodic * y));
      double mixed = (2 * p - 1) * Math.PI / (2 * n - 1);
      requireDecay(
          square(n, ElementType.DOUBLE)
              .spacing(1, 2)
              .dt(cx)
              .left(Side.dirichlet())
              .bottom(Side.periodic())
              .top(Side.periodic()),
          cx,
          cx / 4,
          mixed,
          periodic,
          (x, y) -> Math.sin(mixed * x) * Math.cos(periodic * y / 2));
    }
  }

  /** Against exp(-2 pi^2 t) sin(pi x) sin(pi y) on the unit square, with dt ~ dx^2. */
  @Test
  void errorsFallWithTheSquareOfTheDistance() {
    double last = 0;
    for (int cells = 8; cells <= 32; cells *= 2) {
      double h = 1.0 / cells;
      DoubleBinaryOperator mode = (x, y) -> Math.sin(Math.PI * x) * Math.sin(Math.PI * y);
      try (Heat2D heat =
          square(cells + 1, ElementType.DOUBLE)
              .spacing(h, h)
              .dt(0.2 * h * h)
              .sides(Side.dirichlet())
              .initial(mode)
              .build()
              .open(funnel)) {
        heat.step(cells * cells / 2);
        assertEquals(0.1, heat.time(), 1e-12);
        double peak = heat.snapshot().at(cells / 2, cells / 2);
        double error = Math.abs(peak - Math.exp(-2 * Math.PI * Math.PI * 0.1));
        if (last > 0) {
          assertEquals(4, last / error, 0.4, "cells=" + cells);
        }
        last = error;
      }
    }
  }

  /** Heat flows in at one end and leaves at the other, as much as passes between. */
  @Test
  void betweenAWallAndARobinSideTheSteadyStateIsALine() {
    double dx = 0.5;
    int n = 9;
    double transfer = 0.8;
    double slope = transfer * (10 - 40) / (1 + transfer * n * dx); // from 40 to 10 outside
    try (Heat2D heat =
        HeatProblem.builder(n, 2)
            .type(ElementType.DOUBLE)
            .spacing(dx, 1)
            .left(Side.wall(40))
            .right(Side.robin(transfer, 10))
            .build()
            .open(funnel)) {
      assertTrue(heat.stepUntil(1e-13, 100, 20_000));
      double[] u = heat.toDoubles();
      for (int at = 0; at < u.length; at++) {
        assertEquals(40 + slope * dx * (at % n + 0.5), u[at], 1e-9, "node " + at);
      }
    }
  }

  /** Against cos(b x) exp(-b^2 t) with x = 0 insulated and at x = 1 a wall, or b tan b = 1. */
  @Test
  void errorsBesideWallsAndRobinSidesFallWithTheSquareOfTheDistance() {
    for (Side side : List.of(Side.wall(0), Side.robin(1, 0))) {
      double b = side.kind() == Side.Kind.WALL ? Math.PI / 2 : 0.8603335890193797;
      double last = 0;
      for (int cells = 8; cells <= 32; cells *= 2) {
        double h = 1.0 / cells;
        try (Heat2D heat =
            HeatProblem.builder(cells, 1)
                .type(ElementType.DOUBLE)
                .spacing(h, h)
                .dt(0.125 * h * h)
                .right(side)
                .initial((x, y) -> Math.cos(b * (x + h / 2)))
                .build()
                .open(funnel)) {
          heat.step(cells * cells / 2);
          double error = 0;
          for (int i = 0; i < cells; i++) {
            double exact = Math.cos(b * (i + 0.5) * h) * Math.exp(-b * b / 16);
            error = Math.max(error, Math.abs(exact - heat.snapshot().at(i, 0)));
          }
          if (last > 0) {
            assertEquals(4, last / error, 0.4, side + ", cells=" + cells);
          }
          last = error;
        }
      }
    }
  }

  /**
   * Waves that come in at a side that swings: an exact solution of the steps is the real part of
   * {@code r^i w^n} with w = exp(i omega) and w = 1 + cx (r - 2 + 1/r).
   */
  @Test
  void wavesFromASideThatSwingsAreThoseOfTheEquation() {
    int n = 12;
    double cx = 0.25;
    double dx = 0.5;
    double omega = 2 * Math.PI / 50;
    double transfer = 3;
    double share = 2 * transfer * dx / (2 + transfer * dx);
    double[] c = {1 + (Math.cos(omega) - 1) / (2 * cx), Math.sin(omega) / (2 * cx)};
    double[] root = root(c[0] * c[0] - c[1] * c[1] - 1, 2 * c[0] * c[1]);
    double[] r = {c[0] - root[0], c[1] - root[1]};
    double size = Math.log(Math.hypot(r[0], r[1]));
    double angle = Math.atan2(r[1], r[0]);
    DoubleBinaryOperator wave =
        (i, step) -> Math.exp(size * i) * Math.cos(angle * i + omega * step);
    for (Side.Kind kind : Side.Kind.values()) {
      if (kind == Side.Kind.PERIODIC) {
        continue;
      }
      try (Heat2D heat =
          HeatProblem.builder(n, 1)
              .type(ElementType.DOUBLE)
              .spacing(dx, 1e3)
              .dt(cx * dx * dx)
              .left(swinging(kind, wave, 0, -1, 0, dx, transfer, share))
              .right(swinging(kind, wave, n - 1, n, 0, dx, transfer, share))
              .initial((x, y) -> wave.applyAsDouble(x / dx, 0))
              .build()
              .open(funnel)) {
        heat.observe(
            1,
            h -> {
              double step = h.steps();
              h.left(swinging(kind, wave, 0, -1, step, dx, transfer, share));
              h.right(swinging(kind, wave, n - 1, n, step, dx, transfer, share));
            });
        int steps = steps(70);
        double[] u = heat.step(steps).toDoubles();
        for (int i = 0; i < n; i++) {
          assertEquals(wave.applyAsDouble(i, steps), u[i], 1e-12, kind + " node " + i);
        }
      }
    }
  }

  private static double[] root(double re, double im) {
    double size = Math.sqrt(Math.hypot(re, im));
    double angle = Math.atan2(im, re) / 2;
    return new double[] {size * Math.cos(angle), size * Math.sin(angle)};
  }

  /** A side of which the ghost beyond the edge is the wave's. */
  private static Side swinging(
      Side.Kind kind,
      DoubleBinaryOperator wave,
      int edge,
      int beyond,
      double step,
      double dx,
      double transfer,
      double share) {
    double u = wave.applyAsDouble(edge, step);
    double ghost = wave.applyAsDouble(beyond, step);
    return switch (kind) {
      case DIRICHLET -> Side.dirichlet(u);
      case NEUMANN -> Side.neumann((ghost - u) / dx);
      case WALL -> Side.wall((ghost + u) / 2);
      case ROBIN -> Side.robin(transfer, (ghost - (1 - share) * u) / share);
      case PERIODIC -> Side.periodic();
    };
  }
}
