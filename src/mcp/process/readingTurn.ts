/** Time limit for reading one server in one turn of the event loop, in milliseconds. */
const longestTurn = 5;
/** Limit of pieces in one turn. The SDK does part of its work on a message only after the turn. */
const mostPieces = 50;

/**
 * Divides the reading of a server's output into turns of several pieces (lines or events). If the
 * server floods, all other waiting work comes before its next turn.
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
      // The turn ends when all other waiting work had its chance.
      setImmediate(() => this.renew());
    }
    this.piecesLeft -= 1;
    return now > this.end || this.piecesLeft < 0;
  }

  /** Call it when other waiting work had its chance. The next piece then begins a new turn. */
  renew(): void {
    this.end = undefined;
  }
}
