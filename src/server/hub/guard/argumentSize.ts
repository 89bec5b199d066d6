/** Whether arguments hold more than so many characters and values, names and contents included. */
export function isBiggerThan(args: unknown, most: number): boolean {
  const open: unknown[] = [args];
  let size = 0;
  while (open.length > 0 && size <= most) {
    const value = open.pop();
    size += typeof value === 'string' ? value.length : 1;
    if (Array.isArray(value)) {
      size += value.length;
      if (size <= most) {
        open.push(...value);
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const name in value) {
        size += name.length;
        open.push((value as Readonly<Record<string, unknown>>)[name]);
        if (size > most) {
          break;
        }
      }
    }
  }
  return size > most;
}
