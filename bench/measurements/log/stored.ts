import type { Measurement } from '../../harness';
import { closedLoop, inTurns } from '../../harness';
import { Chat } from '../../chat/chat';
import { storeMessages } from '../../chat/stored-messages';

const CALLERS = 128;

/** A log with a long past must accept the next event as fast as an empty one. */
export const stored: Measurement = {
  name: 'stored',
  title: '128 callers on a full log, and on an empty one',
  async run(bench) {
    const empty = await Chat.open(bench);
    const full = await Chat.open(bench);
    await storeMessages(full.kernel, bench.stored, (done) =>
      bench.say('filling the log', `${done} of ${bench.stored} events`),
    );
    bench.say('appending to both');
    const loads = await inTurns(bench.seconds, {
      empty: (seconds) => closedLoop({ callers: CALLERS, seconds }, () => empty.send()),
      full: (seconds) => closedLoop({ callers: CALLERS, seconds }, () => full.send()),
    });
    return {
      ...loads.empty.figures('stored.empty'),
      ...loads.full.figures('stored.full'),
    };
  },
};
