import { Rejected } from '@annals/kernel/domain';

/** The refusal of an attempt, or undefined when it succeeds. Any other error is thrown again. */
export function refusalOf(attempt: () => unknown): Rejected | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (error instanceof Rejected) return error;
    throw error;
  }
}
