/** Names that nothing else has: that itself, or with a number behind it. */
export function fresh(taken: readonly string[]): (name: string) => string {
  const known = new Set(taken);
  return (name) => {
    let [one, count] = [name, 1];
    while (known.has(one)) one = `${name} ${++count}`;
    known.add(one);
    return one;
  };
}
