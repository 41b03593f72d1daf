/** The client of the worker that reads reports: one for the whole document, started by the first report. */
import { blobWorker } from "./blob-worker.ts";
import type { ReportJobs } from "./report-protocol.ts";
import ReportWorker from "./report-worker.ts?worker&inline";
import { obstacle, unavailable } from "./unavailable.ts";
import { type Ears, type Wire, WorkerClient } from "./worker-client.ts";

const open = (ears: Ears): Wire | string =>
  obstacle() ??
  blobWorker(
    () => new ReportWorker(),
    ears,
    (why) => why,
  );

const client = new WorkerClient({ atOnce: 1, open, failure: unavailable, endsOnFailure: true });

/** The reader for one asker, which may drop its own questions and nobody else's. */
export const reportsFor = (owner: object): ReportJobs => ({
  look: (...args) => client.ask(owner, { job: "look", args }),
  personalLoss: (...args) => client.ask(owner, { job: "personalLoss", args }),
});

/** Drops what this asker still waits for. */
export const supersede = (owner: object): void => client.supersede(owner);
