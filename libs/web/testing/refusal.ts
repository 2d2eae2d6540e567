import { Rejected } from '@annals/kernel/domain';

/** The refusal that an attempt ends in, or undefined when it succeeds; anything else that is thrown goes on. */
export function refusalOf(attempt: () => unknown): Rejected | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (error instanceof Rejected) return error;
    throw error;
  }
}
