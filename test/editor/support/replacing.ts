/** Replaces functions of the editor until the test is over. */
export function replacing(): (
  target: object,
  replacements: Readonly<Record<string, unknown>>,
) => void {
  const undo: (() => void)[] = [];
  afterEach(() => {
    for (const one of undo.splice(0).reverse()) {
      one();
    }
  });
  return (target, replacements) => {
    const originals = Object.keys(replacements).map(key => [key, Reflect.get(target, key)]);
    Object.assign(target, replacements);
    undo.push(() => Object.assign(target, Object.fromEntries(originals)));
  };
}
