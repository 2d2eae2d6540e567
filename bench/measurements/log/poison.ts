import type { Measurement } from '../../harness';
import { closedLoop, inTurns } from '../../harness';
import { Chat } from '../../chat/chat';

const CALLERS = 128;
const EVERY = 1_000;

/** One command in a thousand makes PostgreSQL refuse the batch it is in; only that command may suffer for it. */
export const poison: Measurement = {
  name: 'poison',
  title: '128 callers, with and without one command in a thousand that PostgreSQL refuses',
  async run(bench) {
    const chat = await Chat.open(bench);
    let calls = 0;
    const poisoned = async () => {
      if (++calls % EVERY !== 0) return chat.send();
      const refused = await chat.poison().then(
        () => false,
        () => true,
      );
      if (!refused) throw new Error('PostgreSQL did not refuse what was meant to be refused');
    };
    const loads = await inTurns(bench.seconds, {
      none: (seconds) => closedLoop({ callers: CALLERS, seconds }, () => chat.send()),
      some: (seconds) => closedLoop({ callers: CALLERS, seconds }, poisoned),
    });
    return { ...loads.none.figures('poison.none'), ...loads.some.figures('poison.some') };
  },
};
