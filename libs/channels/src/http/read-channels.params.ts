import { Rejected, t } from '@annals/kernel/domain';
import type { ChannelId } from '@annals/kernel/domain';
import { AsOfParams, BooleanParam, CustomParam, PathId, TextParam, unquoted } from '@annals/web';
import type { ChannelSource } from '../read/channel/list-channels';

/** Contract/channels.md section 3. */
export class ListChannelsParams extends AsOfParams {
  @BooleanParam() include_public = true;
  @BooleanParam() include_web_public = false;
  @BooleanParam() include_subscribed = true;
  @BooleanParam({ aliases: ['include_all_active'] }) include_all = false;
  @BooleanParam() include_can_access_content = false;
  @BooleanParam() include_owner_subscribed = false;
  @BooleanParam() include_default = false;
  @BooleanParam() exclude_archived = true;
}

const SOURCES = {
  include_public: 'public',
  include_web_public: 'web-public',
  include_subscribed: 'subscribed',
  include_all: 'visible',
  include_can_access_content: 'content',
  include_owner_subscribed: 'subscribed by owner',
} as const satisfies Partial<Record<Exclude<keyof ListChannelsParams, keyof AsOfParams>, ChannelSource>>;

export const toSources = (p: ListChannelsParams): ChannelSource[] =>
  (Object.keys(SOURCES) as (keyof typeof SOURCES)[]).filter((name) => p[name]).map((name) => SOURCES[name]);

/** What the log says of a read of the channels that another account could see. */
export const recordedList = (p: ListChannelsParams, results: number) => ({
  endpoint: 'GET /streams',
  parameters: { sources: toSources(p), exclude_archived: p.exclude_archived },
  results,
});

/** Contract/subscriptions.md section 1; INTERFACE.md 4.22. */
export class ListSubscriptionsParams {
  @CustomParam(t.Union([t.Boolean(), t.Literal('partial')]), 'raw', parseSubscriberInclusion, {
    about: '`true`, `false` or `partial`',
  })
  include_subscribers: boolean | 'partial' = false;
}

/** `true`, `false` or `partial`, with or without JSON quotes. */
export function parseSubscriberInclusion(text: string, name: string): boolean | 'partial' {
  switch (unquoted(text.trim())) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'partial':
      return 'partial';
    default:
      throw new Rejected('BAD_REQUEST', `Invalid ${name}`);
  }
}

/** Contract/channels.md section 4. */
export class ShowChannelParams extends AsOfParams {
  @PathId() stream_id: ChannelId;
}

/** Contract/channels.md section 4. */
export class ChannelIdParams {
  @TextParam() stream: string;
}
