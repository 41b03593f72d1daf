/** Reads reports: what a release told about one person. A blob worker, bound by the policy of the page that holds the form. */
import { open } from "../../../wasm/engine.ts";
import { checkReport, isPublishing } from "../../../wasm/report/document.ts";
import { byArguments, serve } from "./protocol.ts";
import type { ReportJobs } from "./report-protocol.ts";

const engine = open();
// Whoever asks first hears why the engine did not start.
engine.catch(() => {});

const jobs: ReportJobs = {
  async look(report) {
    // What cannot be priced must not ask for anybody's values.
    await engine;
    const checked = checkReport(report);
    const { private: isPrivate, promise, request } = checked;
    return { private: isPrivate, promise, hasMaterial: isPublishing(checked), table: request.table };
  },
  personalLoss: async (report, row, isMember) => (await engine).personalLoss(report, row, isMember),
};

serve(byArguments(jobs));
