import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type * as z from 'zod';

/**
 * The same schema, which does not name its dialect when it is written as JSON. MCP says which one
 * that is then, and VS Code 1.105 leaves out every tool whose dialect it cannot download.
 */
export function plainSchema<S extends z.ZodObject>(
  schema: S,
): StandardSchemaWithJSON<z.input<S>, z.output<S>> {
  const standard = (schema as StandardSchemaWithJSON<z.input<S>, z.output<S>>)['~standard'];
  const { input, output } = standard.jsonSchema;
  return {
    '~standard': {
      ...standard,
      jsonSchema: {
        input: options => withoutDialect(input(options)),
        output: options => withoutDialect(output(options)),
      },
    },
  };
}

/**
 * The schema as it is shown to clients, which takes every value: what a tool answers is our own,
 * and the clients that the tests are run with check it.
 */
export function shownSchema<S extends z.ZodObject>(
  schema: S,
): StandardSchemaWithJSON<z.input<S>, z.output<S>> {
  const { '~standard': standard } = plainSchema(schema);
  return { '~standard': { ...standard, validate: value => ({ value: value as z.output<S> }) } };
}

function withoutDialect({ $schema, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}
