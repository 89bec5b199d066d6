/**
 * How often what happens by chance is tried, an attack or a property, against once in a run that is
 * to be quick: `TEST_EFFORT=10 npm run test:unit` tries ten times as often.
 */
export const effort = Number(process.env['TEST_EFFORT'] ?? 1);
