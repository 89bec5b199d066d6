/** A part of a text in the making: kept from the original, or new. */
export type Piece = { readonly from: number; readonly to: number } | { readonly length: number };

/** A part of the original, and the part of the text that stands in its place. Either may be empty. */
export interface TextChange {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** The pieces after each of the `places`, given in ascending order, was replaced by something new. */
export function withReplaced(
  pieces: readonly Piece[],
  places: readonly number[],
  { removed, added }: { readonly removed: number; readonly added: number },
): readonly Piece[] {
  const rest = new PieceReader(pieces);
  const result: Piece[] = [];
  let position = 0;
  for (const place of places) {
    rest.pass(place - position, result);
    rest.pass(removed);
    position = place + removed;
    result.push({ length: added });
  }
  rest.pass(Number.POSITIVE_INFINITY, result);
  return result;
}

/** What is not kept from an original of that length, in order, none touching the next. */
export function changesIn(pieces: readonly Piece[], originalLength: number): readonly TextChange[] {
  const changes: TextChange[] = [];
  let [oldFrom, oldTo, newFrom, newTo] = [0, 0, 0, 0];
  for (const piece of [...pieces, { from: originalLength, to: originalLength }]) {
    if ('length' in piece) {
      newTo += piece.length;
      continue;
    }
    oldTo = piece.from;
    if (oldFrom < oldTo || newFrom < newTo) {
      changes.push({ oldFrom, oldTo, newFrom, newTo });
    }
    newTo += piece.to - piece.from;
    [oldFrom, newFrom] = [piece.to, newTo];
  }
  return changes;
}

/** Reads a text of pieces from its beginning to its end. */
class PieceReader {
  private readonly pieces: readonly Piece[];
  private index = 0;
  /** How much of the piece at `index` was taken. */
  private taken = 0;

  constructor(pieces: readonly Piece[]) {
    this.pieces = pieces;
  }

  /** Passes over so much of the text, or all that is left of it; the pieces of that are kept. */
  pass(length: number, kept?: Piece[]): void {
    let missing = length;
    for (
      let piece = this.pieces[this.index];
      piece && missing > 0;
      piece = this.pieces[this.index]
    ) {
      const left = sizeOf(piece) - this.taken;
      const size = Math.min(left, missing);
      if (size > 0) {
        kept?.push(partOf(piece, this.taken, size));
      }
      missing -= size;
      this.taken += size;
      if (size === left) {
        this.index += 1;
        this.taken = 0;
      }
    }
  }
}

function sizeOf(piece: Piece): number {
  return 'length' in piece ? piece.length : piece.to - piece.from;
}

function partOf(piece: Piece, start: number, size: number): Piece {
  return 'length' in piece
    ? { length: size }
    : { from: piece.from + start, to: piece.from + start + size };
}
