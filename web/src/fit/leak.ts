/**
 * Why the losses themselves are not published, as an example of made-up rows: a mean, released as the minimum of
 * Σ(θ − yᵢ)²/2 + λθ²/2 + bθ with b ~ N(0, σ²), and the realised losses of two rows beside it. The same as
 * tests/core/privacy_report_leak.h, in plain doubles: nothing rests on it.
 */

export const LAMBDA = 10;

/** Made up, and in which order they join; the first two are those who publish what it cost them. */
const LABELS = [0.25, -1, 0.5, 0.75, 1, -0.25, 0, 0.9, -0.6, 0.1, -0.35, 0.8] as const;
/** Noise of each release, in standard deviations: those of somebody who draws anew each time. */
const NOISE = [0.4, -1.1, 0.2, 1.3, -0.5, 0.9, 0.7, -1.7 / 3, 0.3, -0.8, 1.6, -0.1] as const;

export const FEWEST = 3;
export const MOST = LABELS.length;

export interface Published {
  readonly mean: number;
  /** Of the two rows: their labels, which they know, and what it cost them, exactly. */
  readonly labels: readonly [number, number];
  readonly losses: readonly [number, number];
}

/** What a release of the first rows publishes. */
export function published(rows: number, sigma: number): Published {
  const curvature = rows + LAMBDA;
  const sum = LABELS.slice(0, rows).reduce<number>((total, label) => total + label, 0);
  const mean = (sum - sigma * (NOISE[rows - 1] ?? 0)) / curvature;
  const pull = curvature * mean - sum;
  const loss = (label: number) => {
    const residual = mean - label;
    return (
      -Math.log1p(-1 / curvature) + (residual * residual) / (2 * sigma ** 2) - (residual * pull) / sigma ** 2
    );
  };
  const labels = [LABELS[0], LABELS[1]] as const;
  return { mean, labels, losses: [loss(labels[0]), loss(labels[1])] };
}

/** How many rows there are and what their labels add up to, from what was published alone: two equations, two unknowns. */
export function reconstructed({ mean, labels, losses }: Published, sigma: number) {
  const variance = sigma ** 2;
  const [first, second] = labels.map((label) => mean - label) as [number, number];
  const rest = (loss: number, residual: number) => loss - (residual * residual) / (2 * variance);
  const slope = (rest(losses[0], first) - rest(losses[1], second)) / (first - second);
  const curvature = -1 / Math.expm1(slope * first - rest(losses[0], first));
  return { rows: curvature - LAMBDA, sum: curvature * mean + slope * variance };
}
