import { Rejected } from '@annals/kernel/domain';

/** The result. Null where it is refused. */
export async function unlessRejected<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Rejected) return null;
    throw error;
  }
}
