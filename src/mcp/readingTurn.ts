/** How long what one server sends may keep the event loop from everybody else, in milliseconds. */
const longestTurn = 5;
/** And how much it may be: what a message leads to, the SDK does in part only after the turn. */
const mostPieces = 50;

/**
 * The turns in which what a server sends is taken, piece by piece: one that floods has its next turn
 * only after everything else that waits.
 */
export class ReadingTurn {
  private end: number | undefined;
  private piecesLeft = 0;

  /** Whether it is over. Otherwise another piece may be taken. */
  isOver(): boolean {
    const now = performance.now();
    if (this.end === undefined) {
      this.end = now + longestTurn;
      this.piecesLeft = mostPieces;
      // A turn begins with the first piece after the others had theirs.
      setImmediate(() => this.renew());
    }
    this.piecesLeft -= 1;
    return now > this.end || this.piecesLeft < 0;
  }

  /** The others had theirs. */
  renew(): void {
    this.end = undefined;
  }
}
