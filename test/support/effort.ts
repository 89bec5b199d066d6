/**
 * How often an attack, a flood or a property that happens by chance is tried, against once in
 * `npm test`: `npm run test:soak` tries ten times as often.
 */
export const effort = Number(process.env['TEST_EFFORT'] ?? 1);

/** Whether there is time for every cell of a matrix, and not only for one. */
export const isSoak = effort > 1;
