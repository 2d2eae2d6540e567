import type { Figures, Measurement } from '../../harness';
import { closedLoop } from '../../harness';
import { Chat } from '../../chat/chat';

const CALLERS = [1, 16, 128, 512];

/** Sending as the contexts do it: unit of work, lane, hashes, inline read models; everything but HTTP. */
export const append: Measurement = {
  name: 'append',
  title: 'Append with hashes and inline projections',
  async run(bench) {
    const chat = await Chat.open(bench);
    const figures: Figures[] = [];
    for (const callers of CALLERS) {
      bench.say(`${callers} callers`);
      const load = await closedLoop({ callers, seconds: bench.seconds }, () => chat.send());
      figures.push(load.figures(`append.${callers}`));
    }
    return Object.assign({}, ...figures) as Figures;
  },
};
