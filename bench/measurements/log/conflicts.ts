import type { Measurement } from '../../harness';
import { closedLoop, inTurns } from '../../harness';
import { Chat } from '../../chat/chat';

const CALLERS = 128;
const EVERY = 10;

/**
 * All depend on one stream, the sender's account, and one command in ten has an older version of it: it is refused
 * under the lock and decided again.
 */
export const conflicts: Measurement = {
  name: 'conflicts',
  title: '128 callers, with and without one command in ten that meets a conflict on one stream',
  async run(bench) {
    const chat = await Chat.open(bench);
    let calls = 0;
    const conflicting = () => chat.send(undefined, { outdated: ++calls % EVERY === 0 });
    const loads = await inTurns(bench.seconds, {
      none: (seconds) => closedLoop({ callers: CALLERS, seconds }, () => chat.send()),
      some: (seconds) => closedLoop({ callers: CALLERS, seconds }, conflicting),
    });
    return { ...loads.none.figures('conflicts.none'), ...loads.some.figures('conflicts.some') };
  },
};
