/** The editor's secret storage. */
export function secretStorage() {
  const values = new Map<string, string>();
  return {
    values,
    keys: async () => [...values.keys()],
    get: async (key: string) => values.get(key),
    store: async (key: string, value: string) => void values.set(key, value),
    delete: async (key: string) => void values.delete(key),
  };
}
