#include "wasm/door/told.h"

using emscripten::val;

namespace epsilometer::door {

val plain(const PersonalBound& bound) {
  val result = val::object();
  // What was published beside the model told something too, of either sign.
  const auto [lower, upper] = bound.interval();
  result.set("lower", lower);
  result.set("upper", upper);
  result.set("size", bound.size());
  result.set("leverage", bound.model.leverage);
  result.set("misfit", bound.model.misfit);
  result.set("material", bound.material + bound.model.before);
  result.set("failure", bound.failure);
  return result;
}

val told(const Description& own, const Description& everybody, const std::optional<PersonalBound>& realised) {
  val result = val::object();
  result.set("ownPrice", plain(own));
  result.set("price", plain(everybody));
  result.set("realised", realised ? plain(*realised) : val::null());
  return result;
}

}  // namespace epsilometer::door
