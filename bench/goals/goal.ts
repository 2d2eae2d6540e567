/** The limit of a row of the table. Without a ratio it applies to the figure itself. */
export type Floor = { readonly atLeast: number } | { readonly atMost: number };

/** One row of the table: a figure of ours, what it is held against, and what is asked of it. */
export interface Goal {
  readonly goal: string;
  /** Names of figures. A limit may be a number. */
  readonly ours?: string;
  readonly limit?: string;
  readonly floor?: Floor;
}
