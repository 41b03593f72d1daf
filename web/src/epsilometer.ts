/**
 * The widgets as one module script: `<script type="module" src="epsilometer.js"></script>`, from this site or
 * any other. The engine is inside; nothing else is loaded.
 */
import { define } from "./elements/define.ts";
import { EpsilonAnswer } from "./elements/epsilon-answer.ts";
import { GoeQuantile } from "./elements/goe-quantile.ts";
import { PrivacyProfile } from "./elements/privacy-profile.ts";
import { VERSION } from "./version.ts";

define("epsilon-answer", EpsilonAnswer, VERSION);
define("goe-quantile", GoeQuantile, VERSION);
define("privacy-profile", PrivacyProfile, VERSION);

export { EpsilonAnswer, GoeQuantile, PrivacyProfile, VERSION };
