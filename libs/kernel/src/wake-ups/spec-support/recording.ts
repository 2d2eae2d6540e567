import { CallRecorder } from '../../../../../test/support/events/call-recorder';
import type { Position, RealmId } from '../../domain/index';
import { ALL_SHARES } from '../notice';
import type { WakeUps } from '../wake-ups';

export const realm = (id: number) => id as RealmId;
export const at = (position: number) => position as Position;

/** Records the wake-ups that a process receives from now on which follows all logs. */
export async function recordLogs(wakeUps: WakeUps): Promise<CallRecorder<[RealmId, Position]>> {
  const received = new CallRecorder<[RealmId, Position]>();
  for (const share of ALL_SHARES) wakeUps.subscribe('log', share, received.listener);
  await Promise.all(ALL_SHARES.map((share) => wakeUps.listening(share)));
  return received;
}
