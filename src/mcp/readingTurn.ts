/** Time limit for reading one server in one turn of the event loop, in milliseconds. */
const longestTurn = 5;
/** Limit of pieces in one turn: part of the SDK's work on a message comes only after it. */
const mostPieces = 50;

/**
 * The turns in which the input of a server is read, piece by piece: a server that floods has its next
 * turn only after everything else that waits.
 */
export class ReadingTurn {
  private end: number | undefined;
  private piecesLeft = 0;

  /** Whether the turn is over. Otherwise another piece may be read. */
  isOver(): boolean {
    const now = performance.now();
    if (this.end === undefined) {
      this.end = now + longestTurn;
      this.piecesLeft = mostPieces;
      // A turn begins with the first piece after all other work had its chance.
      setImmediate(() => this.renew());
    }
    this.piecesLeft -= 1;
    return now > this.end || this.piecesLeft < 0;
  }

  /** Ends the turn, after all other work had its chance: the next piece begins another. */
  renew(): void {
    this.end = undefined;
  }
}
