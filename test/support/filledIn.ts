/** Placeholders in a server's line for values that are known only when it is sent. */
export const placeholders = { id: '@ID', token: '@TOKEN', huge: '@HUGE' } as const;

/**
 * The line with the id of its request, the token of its progress, and a number that JSON can carry
 * but `stringify` cannot write.
 */
export function filledIn(line: string, id: unknown, token: unknown): string {
  return line
    .replaceAll(JSON.stringify(placeholders.id), JSON.stringify(id))
    .replaceAll(JSON.stringify(placeholders.token), JSON.stringify(token ?? null))
    .replaceAll(JSON.stringify(placeholders.huge), '1e999');
}
