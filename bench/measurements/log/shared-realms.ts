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
    const load = { realms: REALMS, callers: CALLERS };
    const one = await startChatProcesses(bench, { ...load, processes: 1 });
    const four = await startChatProcesses(bench, { ...load, processes: 4 });
    const apart = await startChatProcesses(bench, { ...load, processes: 4, apart: true });
    const loads = await inTurns(bench.seconds, { one, four, apart });
    return {
      ...loads.one.figures('shared-realms.one'),
      ...loads.four.figures('shared-realms.four'),
      ...loads.apart.figures('shared-realms.apart'),
    };
  },
};
