/** What a line of a server may hold that can't be put there before it is said. */
export const placeholders = { id: '@ID', token: '@TOKEN', huge: '@HUGE' } as const;

/**
 * The line with the id of the request in which it is said, the token of its progress, and a number
 * that can be read and not be written.
 */
export function filledIn(line: string, id: unknown, token: unknown): string {
  return line
    .replaceAll(JSON.stringify(placeholders.id), JSON.stringify(id))
    .replaceAll(JSON.stringify(placeholders.token), JSON.stringify(token ?? null))
    .replaceAll(JSON.stringify(placeholders.huge), '1e999');
}
