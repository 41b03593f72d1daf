/** What the form of a report asks its worker. */
import type { OwnRow, PersonalLoss } from "../../../wasm/contract.ts";
import type { PrivacyReport } from "../../../wasm/report/document.ts";
import type { TableRequest } from "../../../wasm/table/declaration.ts";

/** What a form must know of a report. */
export interface Looked extends Pick<PrivacyReport, "private" | "promise"> {
  /** Which values a person types. */
  readonly table: TableRequest;
  /** Whether anything was published beside the model. */
  readonly hasMaterial: boolean;
}

export interface ReportJobs {
  /** Refuses what is no report, and one that was changed. */
  look(report: unknown): Promise<Looked>;
  personalLoss(report: unknown, row: OwnRow, isMember: boolean): Promise<PersonalLoss>;
}
