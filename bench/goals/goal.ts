/** What a row of the table must reach; without a limit it is said of the figure itself, else of the ratio. */
export type Floor = { readonly atLeast: number } | { readonly atMost: number };

/** One row of the table: a figure of ours, what it is held against, and what is asked of it. */
export interface Goal {
  readonly goal: string;
  /** Names of figures; a limit may stand alone. */
  readonly ours?: string;
  readonly limit?: string;
  readonly floor?: Floor;
}
