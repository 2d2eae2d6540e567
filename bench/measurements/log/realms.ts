import type { RealmId } from '@annals/kernel/domain';
import type { Measurement } from '../../harness';
import { closedLoop, inTurns } from '../../harness';
import { Chat } from '../../chat/chat';

const REALMS = 64;
const LANES = 2;

/** Many organizations with one writer each: batches have to reach across realms. */
export const realms: Measurement = {
  name: 'realms',
  title: `${REALMS} realms with a caller each on ${LANES} lanes, and one realm with 128`,
  async run(bench) {
    const one = await Chat.open(bench);
    const many = await Chat.open(bench, { realms: REALMS, lanes: LANES });
    const loads = await inTurns(bench.seconds, {
      one: (seconds) => closedLoop({ callers: 128, seconds }, () => one.send()),
      many: (seconds) => closedLoop({ callers: REALMS, seconds }, (caller) => many.send((caller + 1) as RealmId)),
    });
    return { ...loads.one.figures('realms.one'), ...loads.many.figures('realms.many') };
  },
};
