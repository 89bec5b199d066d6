import type { Product } from './product.ts';
import type { Row } from './row.ts';
import type { Scratch } from './scratch.ts';

/** The common tools of every part of the bench. */
export interface Bench {
  readonly scratch: Scratch;
  readonly ours: Product;
  /** Another revision of ours. If it is given, ours is compared only with that. */
  readonly before: Product | undefined;
  /** Fewer rounds: to see that everything works, not to believe the figures. */
  readonly isQuick: boolean;
}

/** One thing that is measured, by its name on the command line. */
export interface Part {
  readonly name: string;
  /** Whether it measures two revisions side by side. */
  readonly comparesRevisions?: boolean;
  readonly run: (bench: Bench) => Promise<readonly Row[]>;
}

/** Text like a source file's, of exactly so many bytes. */
export function textOfSize(bytes: number): string {
  let text = '';
  for (let number = 0; text.length < bytes; number++) {
    text += `  const value${number} = compute("item-${number}", ${number % 97}); // step ${number % 13}\n`;
  }
  return text.slice(0, bytes);
}
