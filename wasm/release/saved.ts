/** What was saved as a file: a request, or a release with its own in it. */

/** Whether that is a release, of a model or of statistics, as `fit` answers it; nothing is checked of what it holds. */
export const isRelease = (value: unknown): value is { readonly request: unknown } =>
  typeof value === "object" &&
  value !== null &&
  "request" in value &&
  ("outputs" in value || "results" in value);
