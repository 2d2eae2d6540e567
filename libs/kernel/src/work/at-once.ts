/** Runs something for each of these, in their order and at most so many at once. After an error nothing more begins. */
export async function eachAtOnce<T>(atOnce: number, all: readonly T[], run: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const turns = Array.from({ length: atOnce }, async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      try {
        await run(one);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  });
  const failed = (await Promise.allSettled(turns)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
