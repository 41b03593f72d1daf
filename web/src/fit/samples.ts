/**
 * Tables to try the page with, made here from formulas: nobody is in them, and everybody gets the same ones. What is
 * declared about them is known from the formulas, not from the rows.
 */
import type { FormPatch } from "./form.ts";

export type SampleName = "wages" | "visits" | "rides";

export interface Sample {
  readonly title: string;
  readonly about: string;
  readonly header: string;
  readonly rows: number;
  /** What a column adds to the prediction, for each unit of it. */
  readonly truth: Readonly<Record<string, number>>;
  /** How it is declared, and what to try. Who is protected is for the person to say. */
  readonly form: FormPatch;
  row(random: Random, index: number): readonly (string | number)[];
}

const numeric = (low: number, high: number) => ({
  used: true,
  use: "numeric" as const,
  low: `${low}`,
  high: `${high}`,
});
const categorical = (...levels: string[]) => ({
  used: true,
  use: "categorical" as const,
  levels: levels.join("\n"),
});

const SECTORS = ["private", "public", "self-employed"] as const;
const PREMIUM = { private: 0, public: -150, "self-employed": 200 } as const;

export const SAMPLES: Readonly<Record<SampleName, Sample>> = {
  wages: {
    title: "Wages",
    about: "20 000 invented people: monthly pay from age, schooling and sector",
    header: "age,schooling,sector,pay",
    rows: 20_000,
    truth: { age: 22, schooling: 160 },
    form: {
      columns: {
        age: numeric(18, 67),
        schooling: numeric(8, 20),
        sector: categorical(...SECTORS),
      },
      label: { name: "pay", low: "0", high: "8000" },
      task: "squared",
      algorithm: "ada-ssp",
      parameters: { rows: "20000" },
    },
    row(random) {
      const age = random.whole(18, 67);
      const schooling = random.whole(8, 20);
      const sector = random.one(SECTORS);
      const pay = 300 + 22 * age + 160 * schooling + PREMIUM[sector] + 500 * random.normal();
      return [age, schooling, sector, Math.max(0, Math.round(pay))];
    },
  },
  visits: {
    title: "Hospital visits",
    about:
      "30 000 invented visits of 12 000 patients: readmitted or not, from age, blood pressure and smoking",
    header: "patient;age;systolic;smoker;readmitted",
    rows: 30_000,
    truth: { age: 0.04, systolic: 0.02 },
    form: {
      columns: { age: numeric(20, 90), systolic: numeric(90, 200), smoker: categorical("no", "yes") },
      label: { name: "readmitted", first: "no", second: "yes" },
      task: "logistic",
      algorithm: "approximate-minima-perturbation",
      parameters: { rows: "30000" },
    },
    row(random, index) {
      const age = random.whole(20, 90);
      const systolic = Math.round(Math.min(200, Math.max(90, 100 + 0.5 * age + 15 * random.normal())));
      const smoker = random.chance(0.3);
      const predictor = -5.3 + 0.04 * age + 0.02 * systolic + (smoker ? 0.8 : 0);
      const readmitted = random.chance(1 / (1 + Math.exp(-predictor)));
      // Two or three visits each.
      const patient = `P${Math.floor(index / 2.5)}`;
      return [patient, age, systolic, smoker ? "yes" : "no", readmitted ? "yes" : "no"];
    },
  },
  rides: {
    title: "Bicycle rides",
    about: "10 000 invented station hours: how many rides began, from temperature and day of the week",
    header: "temperature,day,rides",
    rows: 10_000,
    truth: { temperature: 0.05 },
    form: {
      columns: { temperature: numeric(-10, 35), day: categorical("working", "weekend") },
      label: { name: "rides", low: "0", high: "60" },
      task: "poisson",
      algorithm: "approximate-minima-perturbation",
      parameters: { rows: "10000", gradientBound: "20" },
    },
    row(random) {
      const temperature = Math.round(450 * random.share() - 100) / 10;
      const day = random.chance(2 / 7) ? "weekend" : "working";
      const mean = Math.exp(1 + 0.05 * temperature + (day === "weekend" ? 0.4 : 0));
      return [temperature, day, random.count(mean)];
    },
  },
};

/** A generator that everybody can repeat (mulberry32); good enough for invented people, and for nothing else. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  whole(from: number, to: number): number {
    return from + Math.floor(this.share() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.share() < probability;
  }

  one<T>(values: readonly T[]): T {
    return values[this.whole(0, values.length - 1)] as T;
  }

  /** Box and Muller. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.share())) * Math.cos(2 * Math.PI * this.share());
  }

  /** Poisson, by Knuth's product of uniform numbers. */
  count(mean: number): number {
    const floor = Math.exp(-mean);
    let count = -1;
    for (let product = 1; product > floor; product *= this.share()) count++;
    return count;
  }
}

export function sampleText(name: SampleName): string {
  const { header, rows, row } = SAMPLES[name];
  const random = new Random(20);
  const delimiter = header.includes(";") ? ";" : ",";
  const lines = Array.from({ length: rows }, (_, i) => row(random, i).join(delimiter));
  return `${header}\n${lines.join("\n")}\n`;
}
