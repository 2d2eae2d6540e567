import type { ApiClient } from './client';

/**
 * Does something while a user sends one message after the other.
 *
 * @returns its result, and the longest time that one of the messages took, in ms
 * @throws any error of either
 */
export async function meanwhile<T>(
  sender: ApiClient,
  message: Readonly<Record<string, string>>,
  deed: () => Promise<T>,
): Promise<{ readonly done: T; readonly longest: number }> {
  let isOver = false;
  let longest = 0;
  const send = async () => {
    while (!isOver) {
      const began = performance.now();
      await sender.post('/messages', message);
      longest = Math.max(longest, performance.now() - began);
    }
  };
  const act = async () => {
    try {
      return await deed();
    } finally {
      isOver = true;
    }
  };
  const [done] = await Promise.all([act(), send()]);
  return { done, longest };
}
