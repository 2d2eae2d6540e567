import { Rejected } from '@annals/kernel/domain';

/** The result, or its refusal. */
export async function orRejection<T>(result: Promise<T>): Promise<T | Rejected> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Rejected) return error;
    throw error;
  }
}

/** The result. Null where it is refused. */
export async function unlessRejected<T>(result: Promise<T>): Promise<T | null> {
  const given = await orRejection(result);
  return given instanceof Rejected ? null : given;
}
