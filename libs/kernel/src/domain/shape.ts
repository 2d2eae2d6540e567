import type { Static, TSchema } from '@sinclair/typebox';
import type { TypeCheck } from '@sinclair/typebox/compiler';
import { TypeCompiler } from '@sinclair/typebox/compiler';

/** The first part of a value that does not have its shape. */
export interface ShapeProblem {
  /** JSON Pointer of the part; empty for the whole value. */
  readonly path: string;
  /** What is wrong with it. It contains nothing of the value. */
  readonly message: string;
}

/** Checks values against a schema, which is compiled at its first use. */
export class Shape<T extends TSchema> {
  private compiled: TypeCheck<T> | undefined;

  constructor(private readonly schema: T) {}

  matches(value: unknown): value is Static<T> {
    return this.check().Check(value);
  }

  /** Null if the value has the shape. */
  problemIn(value: unknown): ShapeProblem | null {
    const problem = this.check().Errors(value).First();
    return problem ? { path: problem.path, message: problem.message } : null;
  }

  private check(): TypeCheck<T> {
    return (this.compiled ??= TypeCompiler.Compile(this.schema));
  }
}
