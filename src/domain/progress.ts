import { cut, printable } from './printable.ts';

/** The progress of a request, as the server reports it. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

const longestText = 200;

/** The progress in percent; `undefined` when the server gave no total. */
export function percentOf({ progress, total }: Progress): number | undefined {
  return total !== undefined && total > 0
    ? Math.max(0, Math.min(100, Math.round((100 * progress) / total)))
    : undefined;
}

/** The progress in words: the server's message, and the percentage or the plain number. */
export function progressText(progress: Progress): string {
  const { message } = progress;
  const percent = percentOf(progress);
  const amount = percent === undefined ? String(progress.progress) : `${percent} %`;
  return message ? `${cut(printable(message), longestText)} (${amount})` : amount;
}
