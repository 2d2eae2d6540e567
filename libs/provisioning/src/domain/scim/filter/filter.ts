import type { AttributePath } from '../attribute-path';

export const ORDERINGS = ['gt', 'ge', 'lt', 'le'] as const;
export const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', ...ORDERINGS] as const;
export type Comparison = (typeof COMPARISONS)[number];
export type Literal = string | number | boolean | null;

/** A filter as it was written (RFC 7644 section 3.4.2.2). */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Filter[] }
  | { readonly kind: 'not'; readonly term: Filter }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | {
      readonly kind: 'compare';
      readonly path: AttributePath;
      readonly operator: Comparison;
      readonly value: Literal;
    }
  /** One element of a multi-valued attribute meets the condition, whose paths are relative to the element. */
  | { readonly kind: 'element'; readonly path: AttributePath; readonly condition: Filter };

/** How many comparisons a filter makes for each resource or element. */
export function comparisonsIn(filter: Filter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.reduce((sum, term) => sum + comparisonsIn(term), 0);
    case 'not':
      return comparisonsIn(filter.term);
    case 'element':
      return comparisonsIn(filter.condition);
    default:
      return 1;
  }
}
