import { stat } from 'node:fs/promises';

/**
 * What tells that a file may have changed: another place, another time, another size. Where there is
 * none, the reason. Follows links, and never throws.
 */
export async function stampOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  }
}
