/** What was wrong with a form that was sent. */
export interface Problem {
  /** In the language of the visitor. */
  readonly text: string;
  /** Name of the field that it is about. The form as a whole if left out. */
  readonly field?: string | undefined;
}
