/** The version of package.json, put in by the build. */
declare const EPSILOMETER_VERSION: string;
export const VERSION: string = EPSILOMETER_VERSION;
