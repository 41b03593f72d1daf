/**
 * The form of a privacy report as one module script: `<script type="module" src="epsilometer-report.js"></script>`, from
 * this site or any other. The engine is inside; nothing but the report itself is loaded.
 */
import { define } from "./elements/define.ts";
import { PrivacyReport } from "./elements/privacy-report.ts";
import { VERSION } from "./version.ts";

define("privacy-report", PrivacyReport, VERSION);

export { PrivacyReport, VERSION };
