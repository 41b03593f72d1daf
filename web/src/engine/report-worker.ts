/** Reads reports: what a release told about one person. A blob worker, bound by the policy of the page that holds the form. */
import { open } from "../../../wasm/engine.ts";
import { checkRequest } from "../../../wasm/fit-request.ts";
import { checkReport } from "../../../wasm/report/document.ts";
import { serve } from "./protocol.ts";
import type { ReportJobs } from "./report-protocol.ts";

const engine = open();
// Whoever asks first hears why the engine did not start.
engine.catch(() => {});

const jobs: ReportJobs = {
  async look(report) {
    // What cannot be priced must not ask for anybody's values.
    await engine;
    const { private: isPrivate, promise, noise, request } = checkReport(report);
    const hasMaterial = Object.values(noise).some((sigma) => sigma !== undefined);
    return { private: isPrivate, promise, hasMaterial, table: checkRequest(request).table };
  },
  personalLoss: async (report, row, isMember) => (await engine).personalLoss(report, row, isMember),
};

type Job = (...args: readonly unknown[]) => unknown;

serve(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, (args) => (job as Job)(...args)])));
