/** Registers an element once per document, however many copies of this script a page loads. */

const VERSION_KEY = "epsilometerVersion";

export function define(name: string, element: CustomElementConstructor, version: string): void {
  const present = customElements.get(name);
  if (!present) {
    Object.defineProperty(element, VERSION_KEY, { value: version });
    customElements.define(name, element);
    return;
  }
  const other: unknown = Reflect.get(present, VERSION_KEY);
  console.warn(
    `<${name}> is already defined by version ${String(other ?? "unknown")}; version ${version} leaves it alone.`,
  );
}
