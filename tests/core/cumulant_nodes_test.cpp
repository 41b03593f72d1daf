// Where a sum is tilted: the closed form of Gaussian losses against the nodes of losses that are nearly so.
#include "core/accounting/composition/steering/cumulant_nodes.h"

#include <doctest/doctest.h>

#include "core/loss/privacy_loss.h"

namespace epsilometer::cumulant_nodes_test {

TEST_CASE("cumulants of Gaussian losses are those of a sample that leaves hardly anybody out") {
  for (const double sigma : {0.4, 1.0, 7.0, 60.0}) {
    const Description gaussian{"gaussian", {{"sigma", sigma}, {"sensitivity", 1}}, {}, {}, {}};
    const Description sampled{
        "subsampled", {{"rate", 1 - 1e-12}}, {}, {{"sampling", "poisson"}}, {{gaussian, 1}}};
    const auto exact = privacy_loss(gaussian), near = privacy_loss(sampled);
    const CumulantNodes one(*exact->laws()->law(Direction::remove), 760),
        other(*near->laws()->law(Direction::remove), 760);
    for (const double theta : {-0.5, 0.0, 0.3, 2.0}) {
      CAPTURE(sigma);
      CAPTURE(theta);
      const Cumulant closed = one.at(theta), nodes = other.at(theta);
      // Seven nodes for each deviation.
      CHECK(nodes.value == doctest::Approx(closed.value).epsilon(1e-5));
      CHECK(nodes.slope == doctest::Approx(closed.slope).epsilon(1e-5));
      CHECK(nodes.curvature == doctest::Approx(closed.curvature).epsilon(1e-5));
    }
  }
}

}  // namespace epsilometer::cumulant_nodes_test
