/** How one budget is shared between a model and what is published beside it, in words; told to whoever decides. */
import type { ReportOffer } from "../../../wasm/contract.ts";
import { format } from "./numbers.ts";

/** What a typical person would be told at one share: of the model, and of what is published beside it. */
export interface SharePoint {
  readonly share: number;
  readonly model: number;
  readonly published: number;
  readonly together: number;
}

export const sharePoint = ({ share, with: told }: ReportOffer): SharePoint => ({
  share,
  model: Math.max(0, told.size - told.material),
  published: told.material,
  together: told.size,
});

export const percent = (share: number) => `${Math.round(100 * share)} %`;

const shown = (value: number) => format(value, 3, "up");

const noiseOf = ({ request: { algorithm } }: ReportOffer) =>
  "sigma" in algorithm ? algorithm.sigma : undefined;

/** What the chosen share means for the model. */
export function dividedWords(offer: ReportOffer, alone: ReportOffer | undefined): string {
  if (offer.share === 0)
    return "All of the budget is for the model. The report follows from the model alone, and costs nothing.";
  const [noise, least] = [noiseOf(offer), alone && noiseOf(alone)];
  const wider =
    noise !== undefined && least !== undefined
      ? ` The model gets ${format(noise / least, 3, "up")} times as much noise as if it had all.`
      : "";
  return `${percent(offer.share)} of the budget is for the report, and ${percent(1 - offer.share)} for the model.${wider}`;
}

/** What a typical person would be told. */
export function typicalWords(offer: ReportOffer, alone: ReportOffer | undefined): string {
  const { model, published, together } = sharePoint(offer);
  if (offer.share === 0)
    return `Of a typical person the report would say: the model told at most ${shown(together)}.`;
  const all = alone && sharePoint(alone).together;
  const verdict =
    all === undefined
      ? ""
      : together < all
        ? ` With all for the model it would say ${shown(all)}.`
        : ` With all for the model it would say ${shown(all)}: sharing shows better how little the model told, and not how little was told in all.`;
  return (
    `Of a typical person the report would say: the model told at most ${shown(model)}, what is published beside it ${shown(published)} more, ` +
    `together ${shown(together)}.${verdict}`
  );
}
