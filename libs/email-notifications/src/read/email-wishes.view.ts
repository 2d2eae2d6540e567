import { SubscriptionPropertyChanged } from '@annals/channels';
import { defineProjection, on } from '@annals/kernel';
import { OwnSettingsChanged } from '@annals/users';

/** Users who want mails about all messages of channels. They are few, and are read for each message. */
export const emailWishesView = defineProjection({
  name: 'email_wishes',
  version: 1,
  lifecycle: 'inline',
  tables: {
    /** The subscriptions with mails about all messages. */
    channel_email_wishes: {
      columns: { channel_id: 'int4', user_id: 'int4' },
      key: ['channel_id', 'user_id'],
    },
    /** The users with mails about all messages of all channels, except where a subscription says otherwise. */
    all_channels_email_wishes: { columns: { user_id: 'int8' }, key: ['user_id'] },
  },
  handlers: [
    on(SubscriptionPropertyChanged, ({ data }, rows) => {
      if (data.property !== 'email_notifications') return;
      const row = { channel_id: data.channelId, user_id: data.userId };
      if (data.value) rows.insert('channel_email_wishes', row);
      else rows.delete('channel_email_wishes', row);
    }),
    on(OwnSettingsChanged, ({ data: { userId, settings } }, rows) => {
      const { enable_stream_email_notifications: isOn } = settings;
      if (isOn === undefined) return;
      if (isOn) rows.insert('all_channels_email_wishes', { user_id: userId });
      else rows.delete('all_channels_email_wishes', { user_id: userId });
    }),
  ],
});
