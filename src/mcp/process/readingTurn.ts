/** Time limit for reading one server in one turn of the event loop, in milliseconds. */
const longestTurn = 5;
/** Limit of pieces in one turn: the SDK does part of its work on a message only after the turn. */
const mostPieces = 50;

/**
 * Turns for reading a server's input, piece by piece. If a server floods, all other waiting work
 * comes before its next turn.
 */
export class ReadingTurn {
  private end: number | undefined;
  private piecesLeft = 0;

  /** Whether the turn is over. If not, one more piece may be read. */
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

  /** Ends the turn after all other work had its chance: the next piece begins another turn. */
  renew(): void {
    this.end = undefined;
  }
}
