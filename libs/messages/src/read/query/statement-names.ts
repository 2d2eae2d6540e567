import { createHash } from 'node:crypto';

/** A statement as PostgreSQL receives it. Without a name it is planned for each request. */
export interface NarrowStatement {
  readonly text: string;
  readonly name?: string;
}

/**
 * Names for statements whose text depends on a narrow, so that PostgreSQL plans each of them once. It keeps a plan for as long
 * as the connection is open, and clients may invent shapes of narrows without end, so the number of names is bounded.
 */
export class StatementNames {
  private readonly names = new Map<string, string>();

  /** @param max maximum of named statements; further ones have no name */
  constructor(private readonly max: number) {}

  /** The name is computed from the text, so the same text has it everywhere. */
  named(text: string): NarrowStatement {
    const known = this.names.get(text);
    if (known !== undefined) return { text, name: known };
    if (this.names.size >= this.max) return { text };
    const name = `messages-narrow-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    this.names.set(text, name);
    return { text, name };
  }
}

/** Shapes of narrows whose plans are kept: on each connection, at about 100 kB each. */
const MAX_SHAPES = 400;

/** The statements of narrows in this process. */
export const narrowStatements = new StatementNames(MAX_SHAPES);
