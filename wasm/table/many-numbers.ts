/** Numbers by text, however many: a `Map` has room for 2^24 and throws at the next one, which no table may make it do. */
export class ManyNumbers {
  readonly #maps: Map<string, number>[] = [new Map()];
  readonly #most: number;

  /** `most`: how many each map holds. */
  constructor(most: number = 2 ** 23) {
    this.#most = most;
  }

  get(key: string): number | undefined {
    for (const map of this.#maps) {
      const found = map.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  set(key: string, value: number): void {
    const last = this.#maps.at(-1) as Map<string, number>;
    const known = this.#maps.length > 1 ? this.#maps.find((map) => map.has(key)) : undefined;
    if (known) known.set(key, value);
    else if (last.size < this.#most || last.has(key)) last.set(key, value);
    else this.#maps.push(new Map([[key, value]]));
  }
}
