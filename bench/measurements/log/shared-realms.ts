import type { Figures, Measurement } from '../../harness';
import { inTurns } from '../../harness';
import { startChatProcesses } from '../../chat/chat-processes';

const REALMS = 64;
const CALLERS = 256;

/** Organizations that every api process writes to: what one process locks must not stop the others. */
export const sharedRealms: Measurement = {
  name: 'shared-realms',
  title: `${REALMS} realms with ${CALLERS} callers in four processes, which all write to all of them, and in one`,
  async run(bench): Promise<Figures> {
    const one = await startChatProcesses(bench, { processes: 1, realms: REALMS, callers: CALLERS });
    const four = await startChatProcesses(bench, { processes: 4, realms: REALMS, callers: CALLERS });
    const loads = await inTurns(bench.seconds, { one: (seconds) => one(seconds), four: (seconds) => four(seconds) });
    return { ...loads.one.figures('shared-realms.one'), ...loads.four.figures('shared-realms.four') };
  },
};
