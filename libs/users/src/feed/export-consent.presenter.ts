import { definePresenter } from '@annals/kernel';
import type { ClientEvent, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';

interface Payload {
  readonly userId: UserId;
  readonly consented: boolean;
}

/**
 * A user permits or forbids the export of their private data, which administrators see (contract/realtime.md section
 * 6.5).
 */
export const exportConsentEvent = (userId: UserId, consented: boolean): ClientEvent => ({
  type: 'realm_export_consent',
  audience: { kind: 'roles', atMost: Role.administrator },
  payload: { userId, consented } satisfies Payload,
});

export const exportConsentPresenter = definePresenter<null>({
  type: 'realm_export_consent',
  load: () => Promise.resolve(null),
  present: ({ payload }) => {
    const { userId, consented } = payload as unknown as Payload;
    return [{ type: 'realm_export_consent', user_id: userId, consented }];
  },
  variant: () => 'all',
});
