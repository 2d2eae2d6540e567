import type { Recorded, UserId } from '@annals/kernel/domain';
import { fold } from '@annals/kernel/domain';
import type { OwnSettingsChanged } from './events';
import { changeOwnSettings, ownSettingsAggregate } from './own-settings';
import { INITIAL_SETTINGS } from './settings';

const ann = 7 as UserId;
const after = (...facts: OwnSettingsChanged[]) =>
  fold(ownSettingsAggregate, facts as unknown as Recorded<OwnSettingsChanged>[]);

describe('own settings', () => {
  it('are those of the contract for somebody who has changed none', () => {
    expect(after()).toEqual({
      automatically_follow_topics_policy: 3,
      automatically_follow_topics_where_mentioned: true,
      automatically_unmute_topics_in_muted_streams_policy: 2,
      email_address_visibility: 1,
      receives_typing_notifications: true,
      send_private_typing_notifications: true,
      send_stream_typing_notifications: true,
    });
  });

  it('change together, and only those that differ are told, with what they were', () => {
    const wish = { receives_typing_notifications: false, send_private_typing_notifications: true };
    const facts = changeOwnSettings(INITIAL_SETTINGS, ann, wish);
    expect(facts).toEqual([
      {
        type: 'users.OwnSettingsChanged',
        data: {
          userId: ann,
          settings: { receives_typing_notifications: false },
          previous: { receives_typing_notifications: true },
        },
        sealed: null,
      },
    ]);
    expect(after(...facts)).toEqual({ ...INITIAL_SETTINGS, receives_typing_notifications: false });
  });

  it('that are as they were leave no event', () => {
    expect(changeOwnSettings(INITIAL_SETTINGS, ann, { ...INITIAL_SETTINGS })).toEqual([]);
    expect(changeOwnSettings(INITIAL_SETTINGS, ann, {})).toEqual([]);
  });
});
